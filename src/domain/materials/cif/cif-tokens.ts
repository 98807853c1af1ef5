import { BodyInvalid, BoundExceeded } from '../../../errors.js'
import { quote } from '../../../json/quote.js'

/** A word of a CIF file: a keyword, the name of a tag or a value. */
export interface CifToken {
  readonly kind: 'data' | 'loop' | 'tag' | 'value'
  /** The code of a data block, a tag in lower case, or a value without its delimiters. */
  readonly text: string
  /** Whether the value says that there is none: `?` or `.` without quotes. */
  readonly isMissing: boolean
  /** The number of the line, from 1. */
  readonly line: number
}

/** The number of tokens that a file may have: more would hold up other requests. */
const MAX_TOKENS = 100_000

/**
 * Splits a CIF file into its tokens. The syntax is that of CIF 1.1
 * (https://www.iucr.org/resources/cif/spec/version1.1/cifsyntax): quoted strings, text fields between
 * lines that start with a semicolon, and comments. The names of tags may have a dot, as in mmCIF:
 * `_cell.length_a` is `_cell_length_a`.
 * @throws BodyInvalid for a string or a text field without an end, and for CIF 2.0; the message has
 * the number of the line
 * @throws BoundExceeded for a file of more than 100,000 words
 */
export function tokenizeCif(text: string): CifToken[] {
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/)
  if (lines[0]?.startsWith('#\\#CIF_2')) throw lineError(1, 'a line of CIF 1.1', lines[0])
  const tokens: CifToken[] = []
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index] ?? ''
    if (line.startsWith(';')) {
      const end = findTextEnd(lines, index)
      const content = [line.slice(1), ...lines.slice(index + 1, end)].join('\n')
      tokens.push({ kind: 'value', text: content, isMissing: false, line: index + 1 })
      index = end
      addTokens(tokens, (lines[end] ?? '').slice(1), end + 1)
    } else {
      addTokens(tokens, line, index + 1)
    }
    if (tokens.length > MAX_TOKENS)
      throw new BoundExceeded(`the CIF file must have at most ${MAX_TOKENS} words`)
  }
  return tokens
}

/** Returns a BodyInvalid that says what a line must be and quotes what it has. */
export const lineError = (line: number, expected: string, found: string): Error =>
  new BodyInvalid(`line ${line} of the CIF file must be ${expected}, not ${quote(found.trim())}`)

/** Returns the index of the line that ends a text field. */
function findTextEnd(lines: readonly string[], start: number): number {
  for (let end = start + 1; end < lines.length; end += 1)
    if (lines[end]?.startsWith(';')) return end
  throw lineError(start + 1, 'a text field that ends with a line ";"', lines[start] ?? '')
}

/** A quoted string up to its quote before a space, a comment, or a word. */
const WORD = /'(.*?)'(?=\s|$)|"(.*?)"(?=\s|$)|#.*|(\S+)/g

function addTokens(tokens: CifToken[], text: string, line: number): void {
  for (const [, single, double, word] of text.matchAll(WORD)) {
    const quoted = single ?? double
    if (quoted !== undefined) tokens.push({ kind: 'value', text: quoted, isMissing: false, line })
    else if (word !== undefined) tokens.push(toToken(word, line))
  }
}

function toToken(word: string, line: number): CifToken {
  if (/^['"]/.test(word)) throw lineError(line, 'a string that ends with its quote', word)
  const lower = word.toLowerCase()
  if (lower.startsWith('_'))
    return { kind: 'tag', text: lower.replace('.', '_'), isMissing: false, line }
  if (lower.startsWith('data_'))
    return { kind: 'data', text: word.slice(5), isMissing: false, line }
  if (lower === 'loop_') return { kind: 'loop', text: '', isMissing: false, line }
  if (/^(save_|stop_$|global_$)/.test(lower))
    throw lineError(line, 'a data block, a loop, a tag or a value', word)
  return { kind: 'value', text: word, isMissing: word === '?' || word === '.', line }
}
