import { expectSame } from '../expect.js'
import { findValue } from '../find-value.js'
import { getAt, isText } from '../sample.js'
import type { Item, Value } from '../sample.js'
import { documented } from '../statement.js'
import type { Statement } from '../statement.js'

/** The statements on patterns, and on the encoding of a query in a URL. */
export const QUERY_TEXTS: readonly Statement[] = [
  documented('query.unicode', 'A string of other alphabets is found', async (probe) => {
    const { path, value } = findValue(probe, 'a string that is not ASCII', isForeign)
    await probe.expectMatches({ [path]: value }, (item) => getAt(item, path) === value)
  }),
  documented(
    'query.regex',
    '$regex matches the strings that a pattern describes',
    async (probe) => {
      const { path, value } = findValue(probe, 'a string of two letters or digits', isWord)
      const [word = ''] = WORD.exec(value) ?? []
      const includes = (item: Item, text: string): boolean => {
        const other = getAt(item, path)
        return typeof other === 'string' && other.includes(text)
      }
      const startsWith = (item: Item): boolean => {
        const other = getAt(item, path)
        return typeof other === 'string' && other.startsWith(word)
      }
      await probe.expectMatches({ [path]: { $regex: word } }, (item) => includes(item, word))
      await probe.expectMatches({ [path]: { $regex: `^${word}` } }, startsWith)
      const swapped = swapCase(word)
      await probe.expectMatches({ [path]: { $regex: swapped } }, (item) => includes(item, swapped))
    },
  ),
  documented('query.regex-anywhere', '$regex matches anywhere in a string', async (probe) => {
    const { path, value } = findValue(probe, 'a string of several words', hasLastWord)
    const [, word = ''] = LAST_WORD.exec(value) ?? []
    await probe.expectMatches({ [path]: { $regex: word } }, (item) => {
      const other = getAt(item, path)
      return typeof other === 'string' && other.includes(word)
    })
  }),
  ...[
    { id: 'plus-is-space', space: '+' },
    { id: 'percent-20-is-space', space: '%20' },
  ].map(({ id, space }) =>
    documented(`query.${id}`, `${space} in a URL is a space`, async (probe) => {
      const { path, value } = findValue(probe, 'a string with a space', isSpaced)
      const item = probe.sample.items.find((each) => getAt(each, path) === value)
      const list = probe.listPath({ _id: item?._id ?? '', [path]: value })
      expectSame(await probe.getData(list.replaceAll('+', space)), [item])
    }),
  ),
  documented('query.percent-2b-is-plus', '%2B in a URL is a plus', async (probe) => {
    const [item] = probe.take(1)
    const path = probe.listPath({
      _id: { $in: [item?._id ?? ''], $regex: '^[\\s\\S]+$' },
    })
    expectSame(await probe.getData(path), [item])
  }),
]

/** Letters and digits, which mean themselves in a pattern. */
const WORD = /^[A-Za-z0-9]{2,20}/

/** A word that is not at the start of a string. */
const LAST_WORD = /[^A-Za-z0-9]([A-Za-z0-9]{2,20})[^A-Za-z0-9]*$/

const hasLastWord = (value: Value): value is string => isText(value) && LAST_WORD.test(value)
const isForeign = (value: Value): value is string => isText(value) && /\P{ASCII}/u.test(value)
const isSpaced = (value: Value): value is string => isText(value) && value.includes(' ')
const isWord = (value: Value): value is string => isText(value) && WORD.test(value)
const swapCase = (text: string): string =>
  text.replace(/[a-z]/gi, (letter) =>
    /[a-z]/.test(letter) ? letter.toUpperCase() : letter.toLowerCase(),
  )
