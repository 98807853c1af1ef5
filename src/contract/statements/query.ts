import { expectSame } from '../expect.js'
import { findDifferent, findValue } from '../find-value.js'
import type { Probe } from '../probe.js'
import { compareStrings, getAt, isQuantity, isText } from '../sample.js'
import type { Value } from '../sample.js'
import { documented } from '../statement.js'
import type { Statement } from '../statement.js'

/** A string that no item has. */
const NO_VALUE = 'no value of this name'

/** The statements on queries that the platform documents. */
export const QUERY: readonly Statement[] = [
  documented('query.empty', 'The query {} matches every item', async (probe) => {
    const projection = { sort: { _id: 1 }, limit: 20, fields: { _id: 1 } }
    const all = await probe.list(undefined, projection)
    expectSame(await probe.list({}, projection), all)
  }),
  documented(
    'query.no-match',
    'A query that no item matches returns an empty list',
    async (probe) => {
      expectSame(await probe.list({ _id: NO_VALUE }), [])
    },
  ),
  documented('query.id', 'A query by _id returns the one item', async (probe) => {
    for (const item of probe.take(1).slice(0, 3))
      expectSame(await probe.list({ _id: item._id }), [item])
  }),
  documented('query.string', 'A query by a string returns the items that have it', (probe) =>
    expectEquality(probe, 'a string', isText),
  ),
  documented('query.number', 'A query by a number returns the items that have it', (probe) =>
    expectEquality(probe, 'a number', isQuantity),
  ),
  documented('query.boolean', 'A query by true or false returns the items that have it', (probe) =>
    expectEquality(probe, 'true or false', isBoolean),
  ),
  documented('query.dotted-path', 'A dotted path queries a field in an object', (probe) =>
    expectEquality(
      probe,
      'a string or a number in an object',
      (value): value is string | number => isText(value) || isQuantity(value),
      (path) => path.includes('.'),
    ),
  ),
  documented('query.several', 'Several conditions must all hold', async (probe) => {
    const [first] = probe.take(1)
    const { path, value } = findValue(probe, 'a string', isText)
    const id = probe.sample.items.find((item) => getAt(item, path) === value)?._id ?? ''
    const own = { _id: { $in: [id, first?._id ?? ''] } }
    const expected = probe.sample.items.filter(
      (item) => own._id.$in.includes(item._id) && getAt(item, path) === value,
    )
    const projection = { sort: { _id: 1 } }
    expectSame(toIds(await probe.list({ ...own, [path]: value }, projection)), toIds(expected))
    expectSame(await probe.list({ ...own, [path]: NO_VALUE }), [])
  }),
  ...(['$gt', '$gte', '$lt', '$lte'] as const).map((operator) =>
    documented(`query.${operator.slice(1)}`, `${operator} compares numbers`, async (probe) => {
      const { path, values } = findDifferent(probe, 'two numbers at one path', isQuantity)
      const sorted = values.toSorted((a, b) => a - b)
      const middle = (sorted.length - 1) / 2
      const limit = sorted[operator.startsWith('$g') ? Math.floor(middle) : Math.ceil(middle)] ?? 0
      await probe.expectMatches({ [path]: { [operator]: limit } }, (item) => {
        const value = getAt(item, path)
        return typeof value === 'number' && COMPARE[operator](value - limit)
      })
    }),
  ),
  documented('query.range', 'Two comparisons at one path are a range', async (probe) => {
    const { path, values } = findDifferent(
      probe,
      'three numbers at one path',
      isQuantity,
      (kept) => kept.length > 2,
    )
    const [least = 0, ...rest] = values.toSorted((a, b) => a - b)
    const most = rest.at(-1) ?? 0
    await probe.expectMatches({ [path]: { $gt: least, $lt: most } }, (item) => {
      const value = getAt(item, path)
      return typeof value === 'number' && value > least && value < most
    })
  }),
  documented('query.gt-string', '$gt compares strings', async (probe) => {
    const { path, values } = findDifferent(probe, 'two strings at one path', isText)
    const sorted = values.toSorted(compareStrings)
    const limit = sorted[(sorted.length - 1) >> 1] ?? ''
    await probe.expectMatches({ [path]: { $gt: limit } }, (item) => {
      const value = getAt(item, path)
      return typeof value === 'string' && compareStrings(value, limit) > 0
    })
  }),
  documented('query.in', '$in matches the items that have one of the values', async (probe) => {
    const { path, value } = findValue(probe, 'a string', isText)
    const query = { [path]: { $in: [NO_VALUE, value] } }
    await probe.expectMatches(query, (item) => getAt(item, path) === value)
    await probe.expectMatches({ [path]: { $in: [NO_VALUE] } }, () => false)
  }),
  documented('query.in-ids', '$in matches the items of several ids', async (probe) => {
    const ids = probe.take(1).map(({ _id }) => _id)
    const some = [ids[0], ids.at(-1)].filter((id) => id !== undefined)
    const found = await probe.list({ _id: { $in: [...some, NO_VALUE] } })
    expectSame(toIds(found).toSorted(), [...new Set(some)].toSorted())
  }),
  documented('query.or', '$or matches the items for which one query does', async (probe) => {
    const items = probe.take(1)
    const [one, other] = [items[0]?._id ?? '', items.at(-1)?._id ?? '']
    await probe.expectMatches({ $or: [{ _id: one }, { _id: other }] }, ({ _id }) =>
      [one, other].includes(_id),
    )
    await probe.expectMatches(
      { $or: [{ _id: NO_VALUE }, { _id: other }] },
      ({ _id }) => _id === other,
    )
  }),
]

const COMPARE = {
  $gt: (difference: number): boolean => difference > 0,
  $gte: (difference: number): boolean => difference >= 0,
  $lt: (difference: number): boolean => difference < 0,
  $lte: (difference: number): boolean => difference <= 0,
} as const

const isBoolean = (value: Value): value is boolean => typeof value === 'boolean'
const toIds = (items: readonly { readonly _id: string }[]): string[] => items.map(({ _id }) => _id)

/** Expects that a query by one value finds the items of the sample that have it. */
async function expectEquality<T extends string | number | boolean>(
  probe: Probe,
  needed: string,
  isKind: (value: Value) => value is T,
  isPath?: (path: string) => boolean,
): Promise<void> {
  const { path, value } = findValue(probe, needed, isKind, isPath)
  await probe.expectMatches({ [path]: value }, (item) => getAt(item, path) === value)
  await probe.expectMatches({ [path]: NO_VALUE }, () => false)
}
