import { BodyInvalid } from '../../../errors.js'
import type { CifBlock } from './cif-block.js'
import { lineError } from './cif-tokens.js'
import type { CifToken } from './cif-tokens.js'

/** Returns the values of the first of some tags that the block has; an empty list if it has none. */
export const findValues = ({ values }: CifBlock, ...tags: string[]): readonly CifToken[] =>
  tags.map((tag) => values.get(tag)).find((column) => column !== undefined) ?? []

/** Returns the text of the first of some tags that has a value; undefined if there is none. */
export function findText(block: CifBlock, ...tags: string[]): string | undefined {
  const known = tags.flatMap((tag) => findValues(block, tag)).find(({ isMissing }) => !isMissing)
  return known?.text.trim()
}

/**
 * Parses the number of a plain tag.
 * @throws BodyInvalid if it is missing, is no number or is not valid
 */
export function parseTagNumber(
  block: CifBlock,
  tag: string,
  expected: string,
  isValid: (value: number) => boolean,
): number {
  const [token] = findValues(block, tag)
  if (token === undefined) throw new BodyInvalid(`the CIF file must have ${tag}, and has none`)
  const value = parseCifNumber(token)
  if (value === undefined || !isValid(value))
    throw lineError(token.line, `${tag} as ${expected}`, token.text)
  return value
}

/**
 * Parses a number, which may have its standard uncertainty in parentheses: `5.4310(2)` is 5.431.
 * Undefined for anything else, also for `?` and `.`.
 */
export function parseCifNumber({ text }: CifToken): number | undefined {
  const [, digits] = /^([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)(?:\(\d+\))?$/i.exec(text) ?? []
  const value = Number(digits)
  return Number.isFinite(value) ? value : undefined
}
