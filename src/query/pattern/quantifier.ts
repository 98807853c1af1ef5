import { PatternRefused } from './part.js'
import type { Part } from './part.js'
import type { Reader } from './reader.js'

/** How often a piece may repeat. */
export interface Quantifier {
  readonly min: number
  readonly max: number
  /** As JavaScript writes it, with `?` where it is lazy. */
  readonly source: string
  readonly possessive: boolean
}

/** The most repetitions that PCRE2 counts. */
const MAX_COUNT = 65_535

/** Reads a quantifier, if one follows. `{,3}` is none: it stands for itself. */
export function readQuantifier(reader: Reader): Quantifier | undefined {
  const found = reader.match(/(?:([*+?])|\{(\d+)(,?)(\d*)\})([?+]?)/y)
  if (found === undefined) return undefined
  const [text, sign, from, comma, to, suffix] = found
  const source = suffix === '+' ? text.slice(0, -1) : text
  const possessive = suffix === '+'
  if (sign !== undefined) {
    return { min: sign === '+' ? 1 : 0, max: sign === '?' ? 1 : Infinity, source, possessive }
  }
  const min = Number(from)
  const max = comma === '' ? min : to === '' ? Infinity : Number(to)
  if (min > max || min > MAX_COUNT || (max > MAX_COUNT && max !== Infinity)) {
    throw new PatternRefused(`has the quantifier ${text}, which must count up, to at most 65535`)
  }
  return { min, max, source, possessive }
}

/** A piece as often as a quantifier says. */
export function repeat(part: Part, { min, max, source }: Quantifier): Part {
  return {
    source: part.source + source,
    width: min === max ? part.width * min : Number.NaN,
    paths: repeatedPaths(part.paths, min, max),
  }
}

function repeatedPaths(paths: number, min: number, max: number): number {
  if (max === Infinity) return Infinity
  return paths === 1 ? max - min + 1 : paths ** max * (max - min + 1)
}
