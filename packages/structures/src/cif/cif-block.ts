import { BodyInvalid, BoundExceeded, parseDecimal, quote } from '@materials-mock/json'

export interface CifBlock {
  /** The text after `data_`. */
  readonly code: string
  /** The values by tag, in lower case: one value for a plain tag, one for each row for a tag of a loop. */
  readonly values: ReadonlyMap<string, readonly CifToken[]>
  /** The tags that stand there more than once. Only one that is read is an error. */
  readonly repeated: ReadonlyMap<string, CifToken>
}

/** @throws BodyInvalid for what is not CIF, with the number of the line; BoundExceeded */
export function parseCifBlocks(text: string): CifBlock[] {
  const reader = new TokenReader(text)
  const blocks: CifBlock[] = []
  for (let token = reader.next(); token !== undefined; token = reader.next()) {
    if (token.kind !== 'data') throw lineError(token.line, 'the start of a data block', token.text)
    blocks.push({ code: token.text, ...parseValues(reader) })
  }
  return blocks
}

/** The tokens of a file, with a lookahead of one token. */
class TokenReader {
  readonly #tokens: readonly CifToken[]
  #position = 0

  constructor(text: string) {
    this.#tokens = tokenizeCif(text)
  }

  /** The kind of the next token; undefined at the end. */
  get nextKind(): CifToken['kind'] | undefined {
    return this.#tokens[this.#position]?.kind
  }

  next(): CifToken | undefined {
    const token = this.#tokens[this.#position]
    this.#position += 1
    return token
  }

  takeAll(kind: CifToken['kind']): CifToken[] {
    const start = this.#position
    while (this.nextKind === kind) this.#position += 1
    return this.#tokens.slice(start, this.#position)
  }
}

function parseValues(reader: TokenReader): Pick<CifBlock, 'values' | 'repeated'> {
  const values = new Map<string, CifToken[]>()
  const repeated = new Map<string, CifToken>()
  const add = (tag: CifToken, column: CifToken[]): void => {
    if (values.has(tag.text)) repeated.set(tag.text, tag)
    else values.set(tag.text, column)
  }
  while (reader.nextKind !== undefined && reader.nextKind !== 'data') {
    const token = reader.next()
    if (token?.kind === 'tag') {
      const value = reader.nextKind === 'value' ? reader.next() : undefined
      if (value === undefined) throw lineError(token.line, 'a tag with a value', token.text)
      add(token, [value])
    } else if (token?.kind === 'loop') {
      parseLoop(reader, token, add)
    } else if (token !== undefined) {
      throw lineError(token.line, 'a tag or a loop', token.text)
    }
  }
  return { values, repeated }
}

function parseLoop(
  reader: TokenReader,
  { line }: CifToken,
  add: (tag: CifToken, column: CifToken[]) => void,
): void {
  const tags = reader.takeAll('tag')
  const cells = reader.takeAll('value')
  if (tags.length === 0) throw lineError(line, 'a loop with tags', 'loop_')
  if (cells.length === 0 || cells.length % tags.length !== 0) {
    const counts = `${tags.length} tags and ${cells.length} values`
    throw new BodyInvalid(
      `line ${line} of the CIF file must be a loop with a value for every tag of every row, not one with ${counts}`,
    )
  }
  const columns = tags.map((): CifToken[] => [])
  cells.forEach((cell, index) => columns[index % tags.length]?.push(cell))
  tags.forEach((tag, index) => add(tag, columns[index] ?? []))
}

/**
 * Empty if it has none of the tags.
 * @throws BodyInvalid if the block has the tag twice
 */
export function findValues({ values, repeated }: CifBlock, ...tags: string[]): readonly CifToken[] {
  const found = tags.find((tag) => values.has(tag))
  if (found === undefined) return []
  const again = repeated.get(found)
  if (again !== undefined) throw lineError(again.line, 'a tag that the block has once', found)
  return values.get(found) ?? []
}

/** Returns the values of the first tag that has some that are not missing, without those that are. */
export const findKnownValues = (block: CifBlock, ...tags: string[]): readonly CifToken[] =>
  tags
    .map((tag) => findValues(block, tag).filter(({ isMissing }) => !isMissing))
    .find(({ length }) => length > 0) ?? []

/** Returns the text of the first tag that has a value; undefined if none of the tags has a value. */
export const findText = (block: CifBlock, ...tags: string[]): string | undefined =>
  findKnownValues(block, ...tags)[0]?.text.trim()

/** @throws BodyInvalid if it is missing, is not a number or is not valid */
export function parseTagNumber(
  block: CifBlock,
  tag: string,
  expected: string,
  isValid: (value: number) => boolean,
): number {
  const [token] = findValues(block, tag)
  if (token === undefined) throw new BodyInvalid(`the CIF file has no ${tag}, which it must have`)
  const value = parseCifNumber(token)
  if (value === undefined || !isValid(value))
    throw lineError(token.line, `${tag} as ${expected}`, token.text)
  return value
}

/** Perhaps with its standard uncertainty: `5.4310(2)` is 5.431. Undefined for `?` and `.`. */
export const parseCifNumber = ({ text }: CifToken): number | undefined =>
  parseDecimal(text.replace(/\(\d+\)$/, ''))

/** A word of a CIF file: a keyword, the name of a tag or a value. */
export interface CifToken {
  readonly kind: 'data' | 'loop' | 'tag' | 'value'
  /** The code of a data block, a tag in lower case, or a value without its delimiters. */
  readonly text: string
  /** Whether the value is missing: `?` or `.` without quotes. */
  readonly isMissing: boolean
  /** The number of the line, from 1. */
  readonly line: number
}

/** The largest number of tokens of a file. More would delay other requests. */
const MAX_TOKENS = 100_000

/**
 * Splits a CIF file into its tokens, by the syntax of CIF 1.1, to which most files of CIF 2.0 keep
 * (https://www.iucr.org/resources/cif/spec/version1.1/cifsyntax): quoted strings, text fields between lines that start
 * with a semicolon, and comments. The names of tags may have a dot, as in mmCIF: `_cell.length_a` is `_cell_length_a`.
 * @throws BodyInvalid for a string or a text field without an end; the message has the number of the line
 * @throws BoundExceeded for a file of more than 100,000 words
 */
function tokenizeCif(text: string): CifToken[] {
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/)
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

/** Returns a BodyInvalid that describes the expected line and quotes the actual line. */
export const lineError = (line: number, expected: string, found: string): Error =>
  new BodyInvalid(`line ${line} of the CIF file must be ${expected}, not ${quote(found.trim())}`)

/** Returns the index of the line that ends a text field. */
function findTextEnd(lines: readonly string[], start: number): number {
  for (let end = start + 1; end < lines.length; end += 1)
    if (lines[end]?.startsWith(';')) return end
  throw lineError(start + 1, 'a text field that ends with a line ";"', lines[start] ?? '')
}

/** Matches a quoted string up to its quote before a space, a comment, or a word. */
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
