import t from 'tap'

import type { JsonObject } from '../../src/json/json.js'
import { Budget } from '../../src/query/budget.js'
import { evaluate, applyFields } from '../../src/query/evaluate.js'
import type { EvaluateOptions } from '../../src/query/evaluate.js'
import type { HasItem } from '../../src/query/page.js'
import { compileFields } from '../../src/query/projection/compile-fields.js'
import { compileSelector } from '../../src/query/selector/compile-selector.js'
import { compileSort } from '../../src/query/sort/compile-sort.js'

const createEntries = (count: number, createItem: (index: number) => JsonObject): HasItem[] =>
  Array.from({ length: count }, (_, index) => ({ item: { _id: `${index}`, ...createItem(index) } }))

const withDefaults = (
  options: Partial<EvaluateOptions<HasItem>> & { query?: JsonObject },
): EvaluateOptions<HasItem> => ({
  selector: compileSelector(options.query ?? {}),
  sort: undefined,
  skip: 0,
  limit: 50,
  budget: new Budget(1000),
  ...options,
})

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
  const page = evaluate(
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
  t.strictSame(findIds(await evaluate(entries, first)), ['10', '11'])
  const last = { sort: compileSort({ n: -1 }), range, limit: 2, budget: new Budget(20_000) }
  t.strictSame(findIds(await evaluate(entries, withDefaults(last))), ['59989', '59988'])
  const $or = Array.from({ length: 100 }, (_, n) => ({ n: { $gte: 59_989 }, 'n.x': n }))
  const query = { $or: [...$or, { n: { $gte: 59_989 } }] }
  const slow = evaluate(entries, withDefaults({ query, range, budget: new Budget(20_000) }))
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
      const page = await evaluate(entries, withDefaults({ query, limit: 1000 }))
      t.strictSame(findIds(page), expected, `${count} ${JSON.stringify(query)}`)
    }
  }
})

t.test('entries that are not included are not in the page', async (t) => {
  const entries = createEntries(6, (n) => ({ n }))
  const page = await evaluate(entries, withDefaults({ isIncluded: hasEvenN }))
  t.strictSame(findIds(page), ['0', '2', '4'])
  const sorted = withDefaults({ isIncluded: hasEvenN, sort: compileSort({ n: -1 }) })
  t.strictSame(findIds(await evaluate(entries, sorted)), ['4', '2', '0'])
})

t.test('a sorted page equals a slice of the whole sorted list', async (t) => {
  const entries = createEntries(500, (n) => ({ n: (n * 7919) % 101 }))
  const sort = compileSort({ n: 1 })
  const whole = findIds(await evaluate(entries, withDefaults({ sort, limit: 500 })))
  t.equal(whole.length, 500)
  t.equal(whole[0], '0')
  for (const [skip, limit] of [[0, 1], [10, 20], [490, 50], [600, 5]] as const) {
    const page = findIds(await evaluate(entries, withDefaults({ sort, skip, limit })))
    t.strictSame(page, whole.slice(skip, skip + limit), `${skip} ${limit}`)
  } // prettier-ignore
})

t.test('a long evaluation continues in slices, on the entries that it started with', async (t) => {
  const entries = createEntries(60_000, (n) => ({ n, tags: ['a', 'b'] }))
  const query = {
    $or: Array.from({ length: 100 }, (_, n) => ({ n: { $gt: 59_990 }, 'tags.x': n })),
  }
  const result = evaluate(entries, withDefaults({ query, budget: new Budget(20_000) }))
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
  const sorted = evaluate(
    others,
    withDefaults({ sort: compileSort({ n: -1 }), limit: 1, budget: new Budget(20_000) }),
  )
  others.length = 0
  t.strictSame(findIds(await sorted), ['59999'])
})

const catastrophic = `${'a'.repeat(40)}b`

t.test('a catastrophic regular expression is aborted within the budget', async (t) => {
  for (const pattern of ['(a+)+$', '(a|aa)+$', '^(a|a?)+$', '(a*)*c', '(?=(a+)+$)a', '(a)\\1(a+)+$', '(.*a){25}$']) {
    const start = performance.now()
    const run = async (): Promise<unknown> =>
      evaluate(createEntries(100, () => ({ a: catastrophic })), withDefaults({ query: { a: { $regex: pattern } }, budget: new Budget(60) }))
    await t.rejects(run, { code: 'BUDGET_EXCEEDED', message: /60 ms/, statusCode: 400 }, pattern)
    t.ok(performance.now() - start < 1060, `${pattern} took at most a second more`)
  } // prettier-ignore
})

t.test('a catastrophic regular expression in an $elemMatch of fields is aborted too', async (t) => {
  const fields = compileFields({ a: { $elemMatch: { $regex: '(a+)+$' } } })
  t.ok(fields.needsTimeout)
  const items = [{ _id: '1', a: ['x', 'aa'] }]
  t.strictSame(applyFields(items, fields, fields, new Budget(1000)), [{ _id: '1', a: ['aa'] }])
  const budget = new Budget(60)
  t.throws(() => applyFields([{ _id: '1', a: [catastrophic] }], fields, fields, budget), {
    code: 'BUDGET_EXCEEDED',
    message: /60 ms/,
  })
  const repeat = () => applyFields(items, fields, fields, budget)
  t.throws(repeat, { code: 'BUDGET_EXCEEDED' }, 'the whole budget is spent')
})

t.test('900 conditions over 100,000 items, and a sort, stay within the budget', async (t) => {
  const entries = createEntries(100_000, (n) => ({ n, text: `number ${n}` }))
  const query = { $or: Array.from({ length: 900 }, (_, n) => ({ text: `none ${n}` })) }
  const start = performance.now()
  const run = async (): Promise<unknown> =>
    evaluate(entries, withDefaults({ query, budget: new Budget(100) }))
  await t.rejects(run, { code: 'BUDGET_EXCEEDED' })
  t.ok(performance.now() - start < 1100)
  const sort = compileSort({ text: -1 })
  const sorted = await evaluate(entries, withDefaults({ sort, limit: 2, budget: new Budget(5000) }))
  t.strictSame(findIds(sorted), ['99999', '99998'])
})

t.test(
  'a page with a large skip equals a slice of the whole sort, and lets timers fire',
  async (t) => {
    const entries = createEntries(100_000, (n) => ({
      n: (n * 7919) % 1000,
      text: `number ${n % 5000}`,
    }))
    const sort = compileSort({ n: 1, text: -1 })
    const options = { sort, limit: 100, budget: new Budget(60_000) }
    let ticks = 0
    const timer = setInterval(() => (ticks += 1))
    const page = await evaluate(entries, withDefaults({ ...options, skip: 90_000 }))
    clearInterval(timer)
    const all = await evaluate(entries, withDefaults({ ...options, limit: 100_000 }))
    t.strictSame(findIds(page), findIds(all).slice(90_000, 90_100))
    t.ok(ticks > 0, `a timer fired ${ticks} times`)
  },
)
