import { expectSame, expectTrue } from '../expect.js'
import { words } from '../outcome.js'
import type { Probe } from '../probe.js'
import { compareStrings, getAt, isNone, isQuantity, isString } from '../sample.js'
import type { Item, Value } from '../sample.js'
import { defineGroup } from '../statement.js'
import type { Statement } from '../statement.js'

const { documented, assumed } = defineGroup('projection')

type Direction = 1 | -1

export const SORT: readonly Statement[] = [
  ...([1, -1] as const).flatMap((direction) => {
    const [name, word] = direction === 1 ? ['ascending', 'upward'] : ['descending', 'downward']
    return [
      documented(`sort-id-${name}`, `sort orders _ids ${word}`, async (probe) => {
        probe.take(2)
        const ids = probe.sample.map(({ _id }) => _id).toSorted(compareStrings)
        const expected = direction === 1 ? ids : ids.toReversed()
        expectSame(await probe.listSampleIds({}, { sort: { _id: direction } }), expected)
      }),
      documented(`sort-numbers-${name}`, `sort orders numbers ${word}`, (probe) =>
        expectNumbersSorted(probe, 'two numbers at one path', direction),
      ),
      documented(`sort-strings-${name}`, `sort orders strings ${word}`, async (probe) => {
        const { path } = probe.findDifferent('two strings at one path', isSortable)
        await expectSorted(probe, path, direction, isSortable, compareStrings)
      }),
    ]
  }),
  documented('sort-numbers-by-value', 'sort orders 2 before 10', (probe) =>
    expectNumbersSorted(
      probe,
      'numbers whose order differs from the order of their texts',
      1,
      (numbers) => numbers.some((a) => numbers.some((b) => a < b && String(a) > String(b))),
    ),
  ),
  documented('sort-several', 'sort orders by the first path, then by the second', async (probe) => {
    const items = probe.take(2)
    const { path } = probe.findScalarPath('a string that two items share', (values) => {
      const texts = values.filter(isSortable)
      return texts.length === values.length && new Set(texts).size < texts.length
    })
    const compare = (a: Item, b: Item): number =>
      compareStrings(String(getAt(a, path)), String(getAt(b, path))) ||
      -compareStrings(a._id, b._id)
    const expected = items.toSorted(compare).map(({ _id }) => _id)
    expectSame(await probe.listSampleIds({}, { sort: { [path]: 1, _id: -1 } }), expected)
  }),
  assumed('sort-case', 'sort orders "Z" before "a"', async (probe) => {
    const { path } = probe.findDifferent(
      'strings whose order differs without the case of letters',
      isSortable,
      (texts) =>
        texts.some((a) =>
          texts.some((b) => compareStrings(a, b) < 0 && a.toLowerCase() > b.toLowerCase()),
        ),
    )
    await expectSorted(probe, path, 1, isSortable, compareStrings)
  }),
  assumed('sort-missing', 'sort puts null and missing fields first', async (probe) => {
    const { path } = probe.findScalarPath(
      'a field that is null or missing in some items, and not in others',
      (values) => values.some(isNone) && !values.every(isNone),
    )
    const items = await probe.list(probe.withinSample({}), { sort: { [path]: 1 } })
    const none = items.map((item) => isNone(getAt(item, path)))
    expectSame(
      none,
      none.toSorted((a, b) => Number(b) - Number(a)),
    )
    expectSame(items.length, probe.sample.length)
  }),
  assumed(
    'sort-types',
    'sort puts numbers before strings, strings before booleans',
    async (probe) => {
      const { path } = probe.findScalarPath(
        'values of different types at one path',
        (values) =>
          new Set(values.filter((value) => !isNone(value)).map((value) => typeof value)).size > 1,
      )
      const items = await probe.list(probe.withinSample({}), { sort: { [path]: 1 } })
      const ranks = items.map((item) => rankOf(getAt(item, path)))
      expectSame(
        ranks,
        ranks.toSorted((a, b) => a - b),
      )
      expectSame(items.length, probe.sample.length)
    },
  ),
]

/** Whether a string can be sorted: dates are sorted the same as their texts. */
export const isSortable = (value: Value): value is string => isString(value) && value !== ''

/** The order of types (https://www.mongodb.com/docs/manual/reference/bson-type-comparison-order/). */
const rankOf = (value: Value): number => ['number', 'string', 'boolean'].indexOf(typeof value)

async function expectNumbersSorted(
  probe: Probe,
  needed: string,
  direction: Direction,
  isTelling?: (numbers: readonly number[]) => boolean,
): Promise<void> {
  const { path } = probe.findDifferent(needed, isQuantity, isTelling)
  await expectSorted(probe, path, direction, isQuantity, (a, b) => a - b)
}

/**
 * Expects that the items with a value of a kind are sorted by this value. Items with equal values may have any order.
 */
export async function expectSorted<T extends string | number>(
  probe: Probe,
  path: string,
  direction: Direction,
  isKind: (value: Value) => value is T,
  compare: (a: T, b: T) => number,
): Promise<void> {
  const items = probe.sample.filter((item) => isKind(getAt(item, path)))
  const ids = items.map(({ _id }) => _id)
  const listed = await probe.list({ _id: { $in: ids } }, { sort: { [path]: direction } })
  expectSame(listed.map(({ _id }) => _id).toSorted(), ids.toSorted())
  const values = listed.map((item) => getAt(item, path)).filter(isKind)
  const expected = values.toSorted((a, b) => direction * compare(a, b))
  expectTrue(
    values.every((value, index) => compare(value, expected[index] ?? value) === 0),
    `${path}: ${JSON.stringify(expected)}`,
    words(`${path}: ${JSON.stringify(values)}`),
  )
}
