import t from 'tap'

import { Budget } from '../../src/query/budget.js'
import { evaluate, evaluateFields } from '../../src/query/evaluate.js'
import type { Evaluation } from '../../src/query/evaluate.js'
import { compileFields } from '../../src/query/projection/compile-fields.js'
import { compileSort } from '../../src/query/sort/compile-sort.js'
import { compileSelector } from '../../src/query/selector/compile-selector.js'
import type { JsonObject } from '../../src/json/json.js'

interface Held {
  readonly item: JsonObject
}

const held = (count: number, make: (index: number) => JsonObject): Held[] =>
  Array.from({ length: count }, (_, index) => ({ item: { _id: `${index}`, ...make(index) } }))

const evaluation = (
  given: Partial<Evaluation<Held>> & { query?: JsonObject },
): Evaluation<Held> => ({
  selector: compileSelector(given.query ?? {}),
  sort: undefined,
  skip: 0,
  limit: 50,
  budget: new Budget(1000),
  ...given,
})

const ids = (page: readonly Held[]): readonly unknown[] => page.map(({ item }) => item['_id'])

t.test('a page in natural order ends the search', async (t) => {
  let seen = 0
  const { matches, ...selector } = compileSelector({ n: { $gte: 10 } })
  const counting = (item: JsonObject): boolean => {
    seen += 1
    return matches(item)
  }
  const entries = held(1000, (n) => ({ n }))
  const page = evaluate(
    entries,
    evaluation({ selector: { ...selector, matches: counting }, skip: 2, limit: 3 }),
  )
  t.strictSame(ids(page as Held[]), ['12', '13', '14'])
  t.equal(seen, 15)
})

t.test('a range is all that is looked at, in one go or in slices', async (t) => {
  const entries = held(60_000, (n) => ({ n }))
  const range = { from: 10, to: 59_990 }
  const first = evaluation({ range: range, limit: 2 })
  t.strictSame(ids(await evaluate(entries, first)), ['10', '11'])
  const last = { sort: compileSort({ n: -1 }), range, limit: 2, budget: new Budget(20_000) }
  t.strictSame(ids(await evaluate(entries, evaluation(last))), ['59989', '59988'])
  const $or = Array.from({ length: 100 }, (_, n) => ({ n: { $gte: 59_989 }, 'n.x': n }))
  const query = { $or: [...$or, { n: { $gte: 59_989 } }] }
  const slow = evaluate(entries, evaluation({ query, range: range, budget: new Budget(20_000) }))
  t.ok(slow instanceof Promise)
  t.strictSame(ids(await slow), ['59989'])
})

t.test('items are read in blocks, and each is asked once', async (t) => {
  const values = ['text', '', 7, null, ['text'], undefined]
  const make = (n: number) => ({ ...(n % 6 < 5 && { a: values[n % 6] as string }), n })
  const queries = [{}, { a: 'text' }, { 'a.b': 1 }, { $or: [{ a: '' }, { n: 1 }] }, { $nor: [{}] }]
  for (const count of [0, 1, 63, 64, 65, 127, 128, 129]) {
    for (const query of queries) {
      const entries = held(count, make)
      const { matches } = compileSelector(query)
      const expected = ids(entries.filter(({ item }) => matches(item)))
      const page = await evaluate(entries, evaluation({ query, limit: 1000 }))
      t.strictSame(ids(page), expected, `${count} ${JSON.stringify(query)}`)
    }
  }
})

t.test('what is not accepted is not there', async (t) => {
  const entries = held(6, (n) => ({ n }))
  const accepts = ({ item }: Held): boolean => Number(item['n']) % 2 === 0
  t.strictSame(ids((await evaluate(entries, evaluation({ isIncluded: accepts }))) as Held[]), [
    '0',
    '2',
    '4',
  ])
  const sorted = evaluation({ isIncluded: accepts, sort: compileSort({ n: -1 }) })
  t.strictSame(ids(await evaluate(entries, sorted)), ['4', '2', '0'])
})

t.test('a sorted page is the same as the slice of the whole sort', async (t) => {
  const entries = held(500, (n) => ({ n: (n * 7919) % 101 }))
  const sort = compileSort({ n: 1 })
  const whole = ids(await evaluate(entries, evaluation({ sort, limit: 500 })))
  t.equal(whole.length, 500)
  t.equal(whole[0], '0')
  for (const [skip, limit] of [[0, 1], [10, 20], [490, 50], [600, 5]] as const) {
    const page = ids(await evaluate(entries, evaluation({ sort, skip, limit })))
    t.strictSame(page, whole.slice(skip, skip + limit), `${skip} ${limit}`)
  } // prettier-ignore
})

t.test('long work goes on in turns with others, on the items that there were', async (t) => {
  const entries = held(60_000, (n) => ({ n, tags: ['a', 'b'] }))
  const query = {
    $or: Array.from({ length: 100 }, (_, n) => ({ n: { $gt: 59_990 }, 'tags.x': n })),
  }
  const answer = evaluate(entries, evaluation({ query, budget: new Budget(20_000) }))
  t.ok(answer instanceof Promise)
  let turns = 0
  const timer = setInterval(() => {
    turns += 1
    entries.length = 0
  }, 1)
  t.strictSame(ids(await answer), [])
  clearInterval(timer)
  t.ok(turns > 2, `others had ${turns} turns`)

  const again = held(60_000, (n) => ({ n }))
  const sorting = evaluate(
    again,
    evaluation({ sort: compileSort({ n: -1 }), limit: 1, budget: new Budget(20_000) }),
  )
  again.length = 0
  t.strictSame(ids(await sorting), ['59999'])
})

const evil = `${'a'.repeat(40)}b`

t.test('a catastrophic pattern is ended within the budget', async (t) => {
  for (const pattern of ['(a+)+$', '(a|aa)+$', '^(a|a?)+$', '(a*)*c', '(?=(a+)+$)a', '(a)\\1(a+)+$', '(.*a){25}$']) {
    const start = performance.now()
    const run = async (): Promise<unknown> =>
      evaluate(held(100, () => ({ a: evil })), evaluation({ query: { a: { $regex: pattern } }, budget: new Budget(60) }))
    await t.rejects(run, { code: 'BUDGET_EXCEEDED', message: /60 ms/, statusCode: 400 }, pattern)
    t.ok(performance.now() - start < 1060, `${pattern} took at most a second more`)
  } // prettier-ignore
})

t.test('a catastrophic pattern in an $elemMatch of fields is ended too', async (t) => {
  const fields = compileFields({ a: { $elemMatch: { $regex: '(a+)+$' } } })
  t.ok(fields?.needsTimeout)
  if (fields === undefined) return
  const items = [{ _id: '1', a: ['x', 'aa'] }]
  t.strictSame(evaluateFields(items, fields, fields, new Budget(1000)), [{ _id: '1', a: ['aa'] }])
  const budget = new Budget(60)
  t.throws(() => evaluateFields([{ _id: '1', a: [evil] }], fields, fields, budget), {
    code: 'BUDGET_EXCEEDED',
    message: /60 ms/,
  })
  const again = () => evaluateFields(items, fields, fields, budget)
  t.throws(again, { code: 'BUDGET_EXCEEDED' }, 'all is spent')
})

t.test('900 conditions over 100,000 items, and a sort, keep to the budget', async (t) => {
  const entries = held(100_000, (n) => ({ n, text: `number ${n}` }))
  const query = { $or: Array.from({ length: 900 }, (_, n) => ({ text: `none ${n}` })) }
  const start = performance.now()
  const run = async (): Promise<unknown> =>
    evaluate(entries, evaluation({ query, budget: new Budget(100) }))
  await t.rejects(run, { code: 'BUDGET_EXCEEDED' })
  t.ok(performance.now() - start < 1100)
  const sort = compileSort({ text: -1 })
  const sorted = await evaluate(entries, evaluation({ sort, limit: 2, budget: new Budget(5000) }))
  t.strictSame(ids(sorted), ['99999', '99998'])
})

t.test('a page far down a sort is what a whole sort has there, and others get turns', async (t) => {
  const entries = held(100_000, (n) => ({ n: (n * 7919) % 1000, text: `number ${n % 5000}` }))
  const sort = compileSort({ n: 1, text: -1 })
  const asked = { sort, limit: 100, budget: new Budget(60_000) }
  let turns = 0
  const watch = setInterval(() => (turns += 1))
  const page = await evaluate(entries, evaluation({ ...asked, skip: 90_000 }))
  clearInterval(watch)
  const all = await evaluate(entries, evaluation({ ...asked, limit: 100_000 }))
  t.strictSame(ids(page), ids(all).slice(90_000, 90_100))
  t.ok(turns > 0, `others got ${turns} turns`)
})
