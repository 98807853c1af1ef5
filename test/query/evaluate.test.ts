import t from 'tap'

import type { JsonObject } from '../../src/json/json.js'
import { evaluate } from '../../src/query/evaluate.js'
import type { EvaluateOptions } from '../../src/query/evaluate.js'
import type { HasItem } from '../../src/query/page.js'
import { applyFields } from '../../src/query/projection/apply-fields.js'
import { compileFields } from '../../src/query/projection/compile-fields.js'
import { compileSelector } from '../../src/query/selector/compile-selector.js'
import { compileSort } from '../../src/query/sort/compile-sort.js'
import { Budget } from '../../src/work/budget.js'
import { Scheduler } from '../../src/work/scheduler.js'
import { runToEnd } from '../../src/work/work.js'

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

const hasEvenN = ({ item }: HasItem): boolean => Number(item['n']) % 2 === 0

t.test('an evaluation in natural order stops when the page is full', async (t) => {
  let matchCount = 0
  const { matches, ...selector } = compileSelector({ n: { $gte: 10 } })
  const counting = (item: JsonObject): boolean => {
    matchCount += 1
    return matches(item)
  }
  const entries = createEntries(1000, (n) => ({ n }))
  const page = run(
    entries,
    withDefaults({ selector: { ...selector, matches: counting }, skip: 2, limit: 3 }),
  )
  t.strictSame(findIds(page as HasItem[]), ['12', '13', '14'])
  t.equal(matchCount, 15)
})

t.test('only the entries of the range are evaluated, in one slice or several', async (t) => {
  const entries = createEntries(60_000, (n) => ({ n }))
  const range = { from: 10, to: 59_990 }
  const first = withDefaults({ range, limit: 2 })
  t.strictSame(findIds(await run(entries, first)), ['10', '11'])
  const last = { sort: compileSort({ n: -1 }), range, limit: 2 }
  t.strictSame(findIds(await run(entries, withDefaults(last))), ['59989', '59988'])
  const $or = Array.from({ length: 100 }, (_, n) => ({ n: { $gte: 59_989 }, 'n.x': n }))
  const query = { $or: [...$or, { n: { $gte: 59_989 } }] }
  const slow = run(entries, withDefaults({ query, range }))
  t.ok(slow instanceof Promise)
  t.strictSame(findIds(await slow), ['59989'])
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

t.test('entries that are not included are not in the page', async (t) => {
  const entries = createEntries(6, (n) => ({ n }))
  const page = await run(entries, withDefaults({ isIncluded: hasEvenN }))
  t.strictSame(findIds(page), ['0', '2', '4'])
  const sorted = withDefaults({ isIncluded: hasEvenN, sort: compileSort({ n: -1 }) })
  t.strictSame(findIds(await run(entries, sorted)), ['4', '2', '0'])
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

t.test('a long evaluation continues in slices, on the entries that it started with', async (t) => {
  const entries = createEntries(60_000, (n) => ({ n, tags: ['a', 'b'] }))
  const query = {
    $or: Array.from({ length: 100 }, (_, n) => ({ n: { $gt: 59_990 }, 'tags.x': n })),
  }
  const result = run(entries, withDefaults({ query }))
  t.ok(result instanceof Promise)
  let ticks = 0
  const timer = setInterval(() => {
    ticks += 1
    entries.length = 0
  }, 1)
  t.strictSame(findIds(await result), [])
  clearInterval(timer)
  t.ok(ticks > 2, `a timer fired ${ticks} times`)

  const others = createEntries(60_000, (n) => ({ n }))
  const sorted = run(others, withDefaults({ sort: compileSort({ n: -1 }), limit: 1 }))
  others.length = 0
  t.strictSame(findIds(await sorted), ['59999'])
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
        { code: 'PATTERN_TOO_COSTLY', message: /20 ms/, statusCode: 400 },
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
  t.equal(delays, 2)
  t.strictSame(ids, findIds(entries))
})

t.test('a catastrophic regular expression in an $elemMatch of fields is refused', async (t) => {
  const fields = compileFields({ a: { $elemMatch: { $regex: '(a+)+$' } } })
  t.ok(fields.needsTimeout)
  t.strictSame(runToEnd(applyFields(fields, { _id: '1', a: ['x', 'aa'] })), { _id: '1', a: ['aa'] })
  t.throws(() => runToEnd(applyFields(fields, { _id: '1', a: [catastrophic] })), {
    code: 'PATTERN_TOO_COSTLY',
  })
})

t.test('900 conditions over 100,000 items are refused when the budget is used up', async (t) => {
  const entries = createEntries(100_000, (n) => ({ n, text: `number ${n}` }))
  const query = { $or: Array.from({ length: 900 }, (_, n) => ({ text: `none ${n}` })) }
  await t.rejects(async () => run(entries, withDefaults({ query }), new Budget(50)), {
    code: 'BUDGET_EXCEEDED',
    message: /its budget of 50 ms \(--query-budget\): \d+ ms (scanning items|matching patterns)/,
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
