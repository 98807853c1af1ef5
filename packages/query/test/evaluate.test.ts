import t from 'tap'

import { InputPath } from '@materials-mock/json'
import type { Json, JsonObject } from '@materials-mock/json'
import { Budget, Scheduler, runToEnd } from '@materials-mock/work'
import { evaluate } from '../src/evaluate.js'
import type { EvaluateOptions } from '../src/evaluate.js'
import type { HasItem } from '../src/page.js'
import { applyFields, compileFields } from '../src/projection/compile-fields.js'
import { compileSelector } from '../src/selector/compile-selector.js'
import { compileSort } from '../src/sort/compile-sort.js'
import { parseTypes } from '../src/values/bson-types.js'
import { replace } from '../../../test/helpers/replace.js'

const createEntries = (count: number, createItem: (index: number) => JsonObject): HasItem[] =>
  Array.from({ length: count }, (_, index) => ({ item: { _id: `${index}`, ...createItem(index) } }))

const withDefaults = (
  options: Partial<EvaluateOptions<HasItem>> & { query?: JsonObject },
): EvaluateOptions<HasItem> => ({
  selector: compileSelector(options.query ?? {}),
  sort: undefined,
  skip: 0,
  limit: 50,
  ...options,
})

/** Runs an evaluation in slices. */
const run = (
  entries: readonly HasItem[],
  options: EvaluateOptions<HasItem>,
  budget = new Budget(20_000),
): HasItem[] | Promise<HasItem[]> => new Scheduler().run(evaluate(entries, options), budget)

const findIds = (page: readonly HasItem[]): readonly unknown[] =>
  page.map(({ item }) => item['_id'])

t.test('an evaluation in natural order stops when the page is full', async (t) => {
  let matchCount = 0
  const { matches, ...selector } = compileSelector({ n: { $gte: 10 } })
  const counting = (item: JsonObject): boolean => {
    matchCount += 1
    return matches(item)
  }
  const entries = createEntries(1000, (n) => ({ n }))
  const page = await run(
    entries,
    withDefaults({ selector: { ...selector, matches: counting }, skip: 2, limit: 3 }),
  )
  t.strictSame(findIds(page as HasItem[]), ['12', '13', '14'])
  t.equal(matchCount, 15)
})

t.test('a list that writes change is held after the first step, or before a sort', async (t) => {
  const entries = createEntries(60_000, (n) => ({ n }))
  const runHeld = async (options: Parameters<typeof withDefaults>[0]) => {
    let holds = 0
    const live = [...entries]
    const hold = () => {
      holds += 1
      return entries
    }
    const work = evaluate(live, { ...withDefaults(options), hold })
    const first = work.next()
    live.length = 0
    const page = first.done === true ? first.value : runToEnd(work)
    return [holds, findIds(page)]
  }
  t.strictSame(await runHeld({ limit: 2 }), [0, ['0', '1']])
  t.strictSame(await runHeld({ query: { n: 59_989 } }), [1, ['59989']])
  t.strictSame(await runHeld({ sort: compileSort({ n: -1 }), limit: 1 }), [1, ['59999']])
  t.strictSame(await runHeld({ sort: compileSort({ $natural: -1 }), limit: 1 }), [0, ['59999']])
  t.strictSame(await runHeld({ query: { _id: { $regex: '(9|99)+8$' } }, limit: 1 }), [1, ['98']])
})

t.test('entries are read in blocks, and each is matched once', async (t) => {
  const values = ['text', '', 7, null, ['text'], undefined]
  const createItem = (n: number) => ({ ...(n % 6 < 5 && { a: values[n % 6] as string }), n })
  const queries = [{}, { a: 'text' }, { 'a.b': 1 }, { $or: [{ a: '' }, { n: 1 }] }, { $nor: [{}] }]
  for (const count of [0, 1, 63, 64, 65, 127, 128, 129]) {
    for (const query of queries) {
      const entries = createEntries(count, createItem)
      const { matches } = compileSelector(query)
      const expected = findIds(entries.filter(({ item }) => matches(item)))
      const page = await run(entries, withDefaults({ query, limit: 1000 }))
      t.strictSame(findIds(page), expected, `${count} ${JSON.stringify(query)}`)
    }
  }
})

t.test('a sorted page equals a slice of the whole sorted list', async (t) => {
  const entries = createEntries(500, (n) => ({ n: (n * 7919) % 101 }))
  const sort = compileSort({ n: 1 })
  const whole = findIds(await run(entries, withDefaults({ sort, limit: 500 })))
  t.equal(whole.length, 500)
  t.equal(whole[0], '0')
  for (const [skip, limit] of [[0, 1], [10, 20], [490, 50], [600, 5]] as const) {
    const page = findIds(await run(entries, withDefaults({ sort, skip, limit })))
    t.strictSame(page, whole.slice(skip, skip + limit), `${skip} ${limit}`)
  } // prettier-ignore
})

t.test('a long evaluation continues in slices', async (t) => {
  const entries = createEntries(60_000, (n) => ({ n, tags: ['a', 'b'] }))
  const query = {
    $or: Array.from({ length: 100 }, (_, n) => ({ n: { $gt: 59_998 }, 'tags.x': n })),
  }
  const result = run(entries, withDefaults({ query }))
  t.ok(result instanceof Promise)
  let ticks = 0
  const timer = setInterval(() => (ticks += 1), 1)
  t.strictSame(findIds(await result), [])
  clearInterval(timer)
  t.ok(ticks > 2, `a timer fired ${ticks} times`)
})

const catastrophic = `${'a'.repeat(40)}b`

const CATASTROPHIC_PATTERNS = [
  '(a+)+$',
  '(a|aa)+$',
  '^(a|a?)+$',
  '(a*)*c',
  '(?=(a+)+$)a',
  '(a)\\1(a+)+$',
  '(.*a){25}$',
]

t.test('a catastrophic regular expression is refused, whichever item it meets', async (t) => {
  for (const pattern of CATASTROPHIC_PATTERNS) {
    const query = { a: { $regex: pattern } }
    for (const at of [0, 99]) {
      const entries = createEntries(100, (n) => ({ a: n === at ? catastrophic : 'x' }))
      t.throws(
        () => runToEnd(evaluate(entries, withDefaults({ query }))),
        { code: 'PATTERN_TOO_COSTLY', message: /20 ms/ },
        pattern,
      )
    }
  }
})

t.test('an item that is matched again after a timeout is on the page once', async (t) => {
  const entries = createEntries(1000, (n) => ({ a: `a${n}` }))
  const { matches, ...selector } = compileSelector({ a: { $regex: '^a*' } })
  t.ok(selector.needsTimeout)
  let delays = 0
  const stalling = (item: JsonObject): boolean => {
    // As if another process had the processor.
    const end = item._id === '500' && delays++ === 0 ? performance.now() + 40 : 0
    while (performance.now() < end);
    return matches(item)
  }
  const options = withDefaults({ selector: { ...selector, matches: stalling }, limit: 1000 })
  const ids = findIds(runToEnd(evaluate(entries, options)))
  t.ok(delays >= 2, 'it is matched again')
  t.strictSame(ids, findIds(entries))
})

/** Counts the activities of work, which it runs to its end or error. */
function countActivities(work: Generator<unknown, unknown>, maxSteps = Infinity) {
  const counts = new Map<unknown, number>()
  for (let step = 0; step < maxSteps; step += 1) {
    const { done, value } = work.next()
    if (done === true) return { counts, result: value }
    counts.set(value, (counts.get(value) ?? 0) + 1)
  }
  return { counts, result: undefined }
}

t.test(
  'a sort that is costlier than its pattern gives the right list, each item once',
  async (t) => {
    const ones = Array.from({ length: 60_000 }, () => 1)
    const entries = createEntries(130, (n) => ({ name: `abc${n}`, o: { a: [...ones, n] } }))
    const options = withDefaults({
      query: { name: { $regex: '(.*)*b' } },
      sort: compileSort({ o: -1 }),
      limit: 500,
    })
    t.ok(options.selector.needsTimeout)
    const { counts, result } = countActivities(evaluate(entries, options))
    t.strictSame(findIds(result as HasItem[]), findIds(entries.toReversed()))
    t.ok((counts.get('sorting items') ?? 0) > 10, 'sorting is counted as such')
  },
)

t.test('an abort after the last match of a page adds nothing to it', (t) => {
  const entries = createEntries(100, (n) => ({ a: `a${n}` }))
  const { matches, ...selector } = compileSelector({ a: { $regex: '^(a*)*' } })
  t.ok(selector.needsTimeout)
  let matched = 0
  const counting = (item: JsonObject): boolean => {
    matched += 1
    return matches(item)
  }
  const now = performance.now.bind(performance)
  let stalls = 0
  replace(t, performance, 'now', () => {
    // As if another process had the processor, when the page has just become full.
    const end = matched === 50 && stalls++ === 0 ? Date.now() + 40 : 0
    while (Date.now() < end);
    return now()
  })
  const options = withDefaults({ selector: { ...selector, matches: counting }, limit: 50 })
  t.equal(runToEnd(evaluate(entries, options)).length, 50)
  t.ok(stalls > 0)
  t.end()
})

t.test('conditions that take too long are not blamed on a pattern', async (t) => {
  const array = Array.from({ length: 340_000 }, (_, n) => n)
  const ranges = Array.from({ length: 300 }, (_, n) => ({ a: { $gt: 400_000 + n, $lt: 9e9 } }))
  const entries = createEntries(1, () => ({ a: array, name: 'x' }))
  for (const query of [{ $or: ranges }, { $or: ranges, name: { $regex: '(x*)*' } }]) {
    const work = run(entries, withDefaults({ query }), new Budget(300))
    // A busy machine ends the item before the budget.
    await t.rejects(async () => work, {
      code: /^(BUDGET|BOUND)_EXCEEDED$/,
      message: /ms matching conditions|the conditions must take at most/,
    })
  }
  t.throws(() => runToEnd(evaluate(entries, withDefaults({ query: { $or: ranges } }))), {
    code: 'BOUND_EXCEEDED',
    message: 'the conditions must take at most 150 ms on one item; have fewer of them',
  })
})

/** A list of so many objects, from `{x: from}`. */
const createObjects = (count: number, from = 0): JsonObject[] =>
  Array.from({ length: count }, (_, n) => ({ x: from + n }))

t.test('a value is not compared with each object of a long list', (t) => {
  let reads = 0
  const value = {
    get x() {
      reads += 1
      return -1
    },
  }
  const { matches, needsTimeout } = compileSelector({ a: { $in: createObjects(1000) } })
  t.notOk(matches({ a: value }))
  t.ok(reads > 0 && reads < 10, `it was read ${reads} times`)
  t.ok(needsTimeout)
  t.notOk(compileSelector({ a: { $in: createObjects(8) } }).needsTimeout)
  t.ok(
    compileSelector({ a: { $in: createObjects(5) }, b: { $nin: createObjects(4) } }).needsTimeout,
  )
  t.ok(compileSelector({ a: { $elemMatch: { $nin: createObjects(9) } } }).needsTimeout)
  t.ok(compileFields({ a: { $elemMatch: { $in: createObjects(9) } } }).needsTimeout)
  t.end()
})

t.test('a long list of objects, arrays and nulls matches as a short one', (t) => {
  const others: Json[] = [{ a: 1, b: [2, {}] }, [1, { a: 'é\ud800' }], [], {}, [null], [0], null]
  const values: (Json | undefined)[] = [
    ...others,
    undefined,
    { b: [2, {}], a: 1 },
    { a: 1, b: [2, {}], c: 0 },
    [-0],
    [[]],
    [[], 1],
    [false],
    ['0'],
    'null',
    0,
    '[]',
  ]
  for (const other of others) {
    const short = compileSelector({ a: { $in: [other, 'x'] } })
    const long = compileSelector({ a: { $in: [...createObjects(9, 50), other, 'x'] } })
    for (const value of values) {
      const item = value === undefined ? {} : { a: value }
      t.equal(long.matches(item), short.matches(item), JSON.stringify([other, value]))
    }
  }
  t.end()
})

t.test('a type that is named many times is looked for once', (t) => {
  t.strictSame(parseTypes(['string', 2, 'string', 'int', 16], new InputPath('query')), [
    'string',
    'int',
  ])
  t.end()
})

t.test('the elements that the key of one item is found among have a bound', async (t) => {
  const a = Array.from({ length: 340_000 }, () => ({}))
  const entries = createEntries(1, () => ({ a }))
  const list = (count: number) => {
    const paths = Object.fromEntries(Array.from({ length: count }, (_, n) => [`a.p${n}`, 1]))
    return runToEnd(evaluate(entries, withDefaults({ sort: compileSort(paths) })))
  }
  t.equal(list(1).length, 1)
  t.throws(() => list(32), { code: 'BOUND_EXCEEDED', message: /at most 1000000 elements/ })
})

t.test('a step ends after the first item that takes long', async (t) => {
  let now = 0
  replace(t, performance, 'now', () => now)
  const { matches, ...selector } = compileSelector({ n: { $gte: 0 } })
  const slow = (item: JsonObject): boolean => {
    now += 3
    return matches(item)
  }
  const entries = createEntries(40, (n) => ({ n }))
  const sort = { ...compileSort({ n: 1 }), compare: () => ((now += 3), 0) } as never
  const options = withDefaults({ selector: { ...selector, matches: slow } })
  t.equal(countActivities(evaluate(entries, options)).counts.get('scanning items'), 40)
  const sorted = countActivities(evaluate(entries, withDefaults({ sort, limit: 10 })))
  t.ok((sorted.counts.get('sorting items') ?? 0) >= 40)
})

t.test('a catastrophic regular expression in an $elemMatch of fields is refused', async (t) => {
  const fields = compileFields({ a: { $elemMatch: { $regex: '(a+)+$' } } })
  t.ok(fields.needsTimeout)
  t.strictSame(runToEnd(applyFields(fields, { _id: '1', a: ['x', 'aa'] })), { _id: '1', a: ['aa'] })
  t.throws(() => runToEnd(applyFields(fields, { _id: '1', a: [catastrophic] })), {
    code: 'PATTERN_TOO_COSTLY',
  })
})

t.test('a catastrophic regular expression is tested after the other conditions', async (t) => {
  const entries = createEntries(2, (n) => ({ n, text: n === 0 ? catastrophic : 'aa' }))
  const text = { $regex: '(a+)+$' }
  const cases: readonly [query: JsonObject, expected: readonly string[]][] = [
    [{ text, n: 1 }, ['1']],
    [{ $and: [{ $or: [{ text }, { text: 'b' }] }, { n: 1 }] }, ['1']],
    [{ $or: [{ text }, { n: 0 }] }, ['0', '1']],
    [{ $nor: [{ text }, { n: 0 }] }, []],
  ]
  for (const [query, expected] of cases)
    t.strictSame(findIds(await run(entries, withDefaults({ query }))), expected)
})

t.test('900 conditions over 100,000 items are refused when the budget is used up', async (t) => {
  const entries = createEntries(100_000, (n) => ({ n, text: `number ${n}` }))
  const query = { $or: Array.from({ length: 900 }, (_, n) => ({ text: `none ${n}` })) }
  await t.rejects(async () => run(entries, withDefaults({ query }), new Budget(50)), {
    code: 'BUDGET_EXCEEDED',
    message: /its budget of 50 ms \(--query-budget\): \d+ ms (scanning items|matching conditions)/,
  })
  const sort = compileSort({ text: -1 })
  t.strictSame(findIds(await run(entries, withDefaults({ sort, limit: 2 }))), ['99999', '99998'])
})

t.test(
  'a page with a large skip equals a slice of the whole sort, and lets timers fire',
  async (t) => {
    const entries = createEntries(100_000, (n) => ({
      n: (n * 7919) % 1000,
      text: `number ${n % 5000}`,
    }))
    const sort = compileSort({ n: 1, text: -1 })
    const options = { sort, limit: 100 }
    let ticks = 0
    const timer = setInterval(() => (ticks += 1))
    const page = await run(entries, withDefaults({ ...options, skip: 90_000 }))
    clearInterval(timer)
    const all = await run(entries, withDefaults({ ...options, limit: 100_000 }))
    t.strictSame(findIds(page), findIds(all).slice(90_000, 90_100))
    t.ok(ticks > 0, `a timer fired ${ticks} times`)
  },
)
