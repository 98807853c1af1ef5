import { BodyInvalid } from '../../../errors.js'
import { lineError, tokenizeCif } from './cif-tokens.js'
import type { CifToken } from './cif-tokens.js'

/** A data block of a CIF file. */
export interface CifBlock {
  /** The text after `data_`. */
  readonly code: string
  /** The values by tag, in lower case: one for a plain tag, one a row for a tag of a loop. */
  readonly values: ReadonlyMap<string, readonly CifToken[]>
}

/**
 * Parses the data blocks of a CIF file.
 * @throws BodyInvalid for what is not CIF 1.1; the message has the number of the line
 * @throws BoundExceeded for a file that is too long (see `tokenizeCif`)
 */
export function parseCifBlocks(text: string): CifBlock[] {
  const reader = new TokenReader(text)
  const blocks: CifBlock[] = []
  for (let token = reader.next(); token !== undefined; token = reader.next()) {
    if (token.kind !== 'data') throw lineError(token.line, 'the start of a data block', token.text)
    blocks.push({ code: token.text, values: parseValues(reader) })
  }
  return blocks
}

/** The tokens of a file, of which the next one can be looked at. */
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

  /** Returns the tokens up to the next one of another kind. */
  takeAll(kind: CifToken['kind']): CifToken[] {
    const start = this.#position
    while (this.nextKind === kind) this.#position += 1
    return this.#tokens.slice(start, this.#position)
  }
}

function parseValues(reader: TokenReader): Map<string, CifToken[]> {
  const values = new Map<string, CifToken[]>()
  const add = (tag: CifToken, column: CifToken[]): void => {
    if (values.has(tag.text)) throw lineError(tag.line, 'a tag that the block has once', tag.text)
    values.set(tag.text, column)
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
  return values
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
