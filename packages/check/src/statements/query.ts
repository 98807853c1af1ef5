import { expectSame } from '../expect.js'
import type { Probe } from '../probe.js'
import { compareStrings, getAt, isQuantity, isText } from '../sample.js'
import type { Value } from '../sample.js'
import { defineGroup } from '../statement.js'
import type { Statement } from '../statement.js'

const { documented } = defineGroup('query')

/** A string that no item has. */
const NO_VALUE = 'no value of this name'

/** The statements on queries that the platform documents, and on the encoding of a query in a URL. */
export const QUERY: readonly Statement[] = [
  documented('empty', 'The query {} matches every item', async (probe) => {
    const projection = { sort: { _id: 1 }, limit: 20, fields: { _id: 1 } }
    const all = await probe.list(undefined, projection)
    expectSame(await probe.list({}, projection), all)
  }),
  documented('no-match', 'A query that no item matches returns an empty list', async (probe) => {
    expectSame(await probe.list({ _id: NO_VALUE }), [])
  }),
  documented('id', 'A query by _id returns the one item', async (probe) => {
    for (const item of probe.take(1).slice(0, 3))
      expectSame(await probe.list({ _id: item._id }), [item])
  }),
  documented('string', 'A query by a string returns the items that have it', (probe) =>
    expectEquality(probe, 'a string', isText),
  ),
  documented('number', 'A query by a number returns the items that have it', (probe) =>
    expectEquality(probe, 'a number', isQuantity),
  ),
  documented('boolean', 'A query by true or false returns the items that have it', (probe) =>
    expectEquality(probe, 'true or false', isBoolean),
  ),
  documented('dotted-path', 'A dotted path queries a field in an object', (probe) =>
    expectEquality(
      probe,
      'a string or a number in an object',
      (value): value is string | number => isText(value) || isQuantity(value),
      (path) => path.includes('.'),
    ),
  ),
  documented('several', 'Several conditions must all hold', async (probe) => {
    const [first] = probe.take(1)
    const { path, value } = probe.findValue('a string', isText)
    const id = probe.sample.find((item) => getAt(item, path) === value)?._id ?? ''
    const own = { _id: { $in: [id, first?._id ?? ''] } }
    const expected = probe.sample.filter(
      (item) => own._id.$in.includes(item._id) && getAt(item, path) === value,
    )
    const projection = { sort: { _id: 1 } }
    expectSame(toIds(await probe.list({ ...own, [path]: value }, projection)), toIds(expected))
    expectSame(await probe.list({ ...own, [path]: NO_VALUE }), [])
  }),
  ...(['$gt', '$gte', '$lt', '$lte'] as const).map((operator) =>
    documented(`${operator.slice(1)}`, `${operator} compares numbers`, async (probe) => {
      const { path, values } = probe.findDifferent('two numbers at one path', isQuantity)
      const sorted = values.toSorted((a, b) => a - b)
      const middle = (sorted.length - 1) / 2
      const limit = sorted[operator.startsWith('$g') ? Math.floor(middle) : Math.ceil(middle)] ?? 0
      await probe.expectFound(
        path,
        { [operator]: limit },
        (value) => typeof value === 'number' && COMPARE[operator](value - limit),
      )
    }),
  ),
  documented('range', 'Two comparisons at one path are a range', async (probe) => {
    const { path, values } = probe.findDifferent(
      'three numbers at one path',
      isQuantity,
      (kept) => kept.length > 2,
    )
    const [least = 0, ...rest] = values.toSorted((a, b) => a - b)
    const most = rest.at(-1) ?? 0
    await probe.expectFound(
      path,
      { $gt: least, $lt: most },
      (value) => typeof value === 'number' && value > least && value < most,
    )
  }),
  documented('gt-string', '$gt compares strings', async (probe) => {
    const { path, values } = probe.findDifferent('two strings at one path', isText)
    const sorted = values.toSorted(compareStrings)
    const limit = sorted[(sorted.length - 1) >> 1] ?? ''
    await probe.expectFound(
      path,
      { $gt: limit },
      (value) => typeof value === 'string' && compareStrings(value, limit) > 0,
    )
  }),
  documented('in', '$in matches the items that have one of the values', async (probe) => {
    const { path, value } = probe.findValue('a string', isText)
    await probe.expectFound(path, { $in: [NO_VALUE, value] }, (other) => other === value)
    await probe.expectFound(path, { $in: [NO_VALUE] }, () => false)
  }),
  documented('in-ids', '$in matches the items of several ids', async (probe) => {
    const ids = probe.take(1).map(({ _id }) => _id)
    const some = [ids[0], ids.at(-1)].filter((id) => id !== undefined)
    const found = await probe.list({ _id: { $in: [...some, NO_VALUE] } })
    expectSame(toIds(found).toSorted(), [...new Set(some)].toSorted())
  }),
  documented('or', '$or matches the items for which one query does', async (probe) => {
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
  documented('unicode', 'A string of other alphabets is found', async (probe) => {
    const { path, value } = probe.findValue('a string that is not ASCII', isForeign)
    await probe.expectFound(path, value, (other) => other === value)
  }),
  documented('regex', '$regex matches the strings that a pattern describes', async (probe) => {
    const { path, value } = probe.findValue('a string of two letters or digits', isWord)
    const [word = ''] = WORD.exec(value) ?? []
    const swapped = swapCase(word)
    const startsWith = (other: Value): boolean =>
      typeof other === 'string' && other.startsWith(word)
    await probe.expectFound(path, { $regex: word }, (other) => includes(other, word))
    await probe.expectFound(path, { $regex: `^${word}` }, startsWith)
    await probe.expectFound(path, { $regex: swapped }, (other) => includes(other, swapped))
  }),
  documented('regex-anywhere', '$regex matches anywhere in a string', async (probe) => {
    const { path, value } = probe.findValue('a string of several words', hasLastWord)
    const [, word = ''] = LAST_WORD.exec(value) ?? []
    await probe.expectFound(path, { $regex: word }, (other) => includes(other, word))
  }),
  ...[
    { id: 'plus-is-space', space: '+' },
    { id: 'percent-20-is-space', space: '%20' },
  ].map(({ id, space }) =>
    documented(`${id}`, `${space} in a URL is a space`, async (probe) => {
      const { path, value } = probe.findValue('a string with a space', isSpaced)
      const item = probe.sample.find((each) => getAt(each, path) === value)
      const list = probe.listPath({ _id: item?._id ?? '', [path]: value })
      expectSame(await probe.getData(list.replaceAll('+', space)), [item])
    }),
  ),
  documented('percent-2b-is-plus', '%2B in a URL is a plus', async (probe) => {
    const [item] = probe.take(1)
    const path = probe.listPath({
      _id: { $in: [item?._id ?? ''], $regex: '^[\\s\\S]+$' },
    })
    expectSame(await probe.getData(path), [item])
  }),
]

const COMPARE = {
  $gt: (difference: number): boolean => difference > 0,
  $gte: (difference: number): boolean => difference >= 0,
  $lt: (difference: number): boolean => difference < 0,
  $lte: (difference: number): boolean => difference <= 0,
} as const

/** Letters and digits, which mean themselves in a pattern. */
const WORD = /^[A-Za-z0-9]{2,20}/

/** A word that is not at the start of a string. */
const LAST_WORD = /[^A-Za-z0-9]([A-Za-z0-9]{2,20})[^A-Za-z0-9]*$/

const hasLastWord = (value: Value): value is string => isText(value) && LAST_WORD.test(value)
const isForeign = (value: Value): value is string => isText(value) && /\P{ASCII}/u.test(value)
const isSpaced = (value: Value): value is string => isText(value) && value.includes(' ')
const isWord = (value: Value): value is string => isText(value) && WORD.test(value)
const includes = (value: Value, text: string): boolean =>
  typeof value === 'string' && value.includes(text)
const swapCase = (text: string): string =>
  text.replace(/[a-z]/gi, (letter) =>
    /[a-z]/.test(letter) ? letter.toUpperCase() : letter.toLowerCase(),
  )
const isBoolean = (value: Value): value is boolean => typeof value === 'boolean'
const toIds = (items: readonly { readonly _id: string }[]): string[] => items.map(({ _id }) => _id)

/** Expects that a query by one value finds the items of the sample that have it. */
async function expectEquality<T extends string | number | boolean>(
  probe: Probe,
  needed: string,
  isKind: (value: Value) => value is T,
  isPath?: (path: string) => boolean,
): Promise<void> {
  const { path, value } = probe.findValue(needed, isKind, isPath)
  await probe.expectFound(path, value, (other) => other === value)
  await probe.expectFound(path, NO_VALUE, () => false)
}
