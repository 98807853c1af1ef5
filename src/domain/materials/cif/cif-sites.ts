import { BodyInvalid } from '../../../errors.js'
import { ELEMENTS } from '../elements.js'
import { MAX_COORDINATE } from '../structure.js'
import type { Vector } from '../vector.js'
import type { CifBlock } from './cif-block.js'
import { lineError } from './cif-tokens.js'
import type { CifToken } from './cif-tokens.js'
import { findValues, parseCifNumber } from './cif-values.js'

/** An atom site of a CIF file. */
export interface CifSite {
  readonly symbol: string
  /** In crystal coordinates. */
  readonly point: Vector
  /** The number of its line. */
  readonly line: number
}

/**
 * Parses the atom sites of a data block.
 * @throws BodyInvalid for a missing or malformed coordinate, an unknown element, or a site that is
 * occupied in part; the message has the number of the line
 */
export function parseSites(block: CifBlock): CifSite[] {
  const xs = getColumn(block, '_atom_site_fract_x')
  const ys = getColumn(block, '_atom_site_fract_y', xs.length)
  const zs = getColumn(block, '_atom_site_fract_z', xs.length)
  const hasTypes = findValues(block, TYPE).length > 0
  const names = getColumn(block, hasTypes ? TYPE : '_atom_site_label', xs.length)
  const parseName = hasTypes ? findTypeSymbol : findLabelSymbol
  const hasOccupancies = findValues(block, OCCUPANCY).length > 0
  if (hasOccupancies) getColumn(block, OCCUPANCY, xs.length).forEach(checkOccupancy)
  return xs.map((x, index) => ({
    symbol: parseSymbol(names[index] ?? x, parseName),
    point: [parseCoordinate(x), parseCoordinate(ys[index] ?? x), parseCoordinate(zs[index] ?? x)],
    line: x.line,
  }))
}

const TYPE = '_atom_site_type_symbol'
const OCCUPANCY = '_atom_site_occupancy'

function getColumn(block: CifBlock, tag: string, length?: number): readonly CifToken[] {
  const column = findValues(block, tag)
  if (column.length === 0) throw new BodyInvalid(`the CIF file must have ${tag}, and has none`)
  if (length !== undefined && column.length !== length) {
    const rows = `one value for each of its ${length} atom sites`
    throw new BodyInvalid(`the CIF file must have ${tag} with ${rows}, not ${column.length}`)
  }
  return column
}

function parseCoordinate(token: CifToken): number {
  const value = parseCifNumber(token)
  if (value !== undefined && Math.abs(value) <= MAX_COORDINATE) return value
  const expected = `an atom site with coordinates up to ${MAX_COORDINATE} cells`
  throw lineError(token.line, expected, token.text)
}

/** A site without an occupancy is occupied (the default of the core CIF dictionary). */
function checkOccupancy(token: CifToken): void {
  const value = token.isMissing ? 1 : parseCifNumber(token)
  if (value === undefined || Math.abs(value - 1) > 1e-4)
    throw lineError(token.line, 'an atom site with the occupancy 1', token.text)
}

function parseSymbol(token: CifToken, findSymbol: (text: string) => string | undefined): string {
  const symbol = findSymbol(token.text)
  if (symbol === undefined)
    throw lineError(token.line, "an atom site with a chemical element's symbol", token.text)
  return symbol
}

/** Finds the element of a type with its charge: `Si`, `SI`, `Fe3+`. */
function findTypeSymbol(text: string): string | undefined {
  const letters = /^([a-z]+)(?![a-z])/i.exec(text)?.[1] ?? ''
  return findElement(letters)
}

/**
 * Finds the element that a label starts with: `Si1`, `O2A`. In capitals, a label can mean two elements
 * (`CA1` is calcium or carbon), which is as bad as none.
 */
function findLabelSymbol(text: string): string | undefined {
  const two = /^[A-Z][a-z](?![a-z])/.exec(text)?.[0]
  if (two !== undefined) return findElement(two)
  const one = findElement(text.slice(0, 1))
  const other = /^[A-Z]{2}/i.test(text) ? findElement(text.slice(0, 2)) : undefined
  return one !== undefined && other !== undefined ? undefined : (one ?? other)
}

const findElement = (letters: string): string | undefined => {
  const symbol = letters.slice(0, 1).toUpperCase() + letters.slice(1).toLowerCase()
  return ELEMENTS.has(symbol) ? symbol : undefined
}
