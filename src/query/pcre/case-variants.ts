import { countCodePoints } from '../values/code-points.js'

/**
 * Returns all characters that equal a character when case is ignored, itself included. This is
 * Unicode's simple case folding, as in PCRE2: `s` has `S` and U+017F, `k` has `K` and U+212A.
 */
export function caseVariants(char: string): readonly string[] {
  if (char >= '\x80') {
    const code = char.codePointAt(0) as number
    return (foldingTable().get(code) ?? [code]).map((variant) => String.fromCodePoint(variant))
  }
  if (!/[A-Za-z]/.test(char)) return [char]
  const variants = [char.toLowerCase(), char.toUpperCase()]
  if (/s/i.test(char)) variants.push('\u017f')
  if (/k/i.test(char)) variants.push('\u212a')
  return variants
}

/** Returns the variants of the characters in a range of code points that lie outside it. */
export function variantsOutside(first: number, last: number): readonly string[] {
  const outside = new Set<number>()
  const add = (code: number): void => {
    if (code < first || code > last) outside.add(code)
  }
  for (let code = first; code <= Math.min(last, 0x7f); code += 1)
    for (const char of caseVariants(String.fromCharCode(code))) add(char.charCodeAt(0))

  if (last >= 0x80) {
    for (const [code, variants] of foldingTable()) {
      if (code > last) break
      // Variants are in ascending order. Most ranges contain all variants of most of their letters.
      const isWithin = (variants[0] as number) >= first && (variants.at(-1) as number) <= last
      if (code >= first && !isWithin) variants.forEach(add)
    }
  }
  return [...outside].map((code) => String.fromCodePoint(code))
}

/** The blocks with letters that have case, in Unicode 14, which PCRE2 10.42 uses. */
const CASED_BLOCKS = [
  [0x41, 0x2dff],
  [0xa640, 0xabff],
  [0xff21, 0xff5a],
  [0x10400, 0x105ff],
  [0x10c80, 0x10cff],
  [0x118a0, 0x118df],
  [0x16e40, 0x16e7f],
  [0x1e900, 0x1e943],
] as const

let table: ReadonlyMap<number, readonly number[]> | undefined

/** Returns the letters with case from U+0080, ascending, each with its variants. Built once. */
function foldingTable(): ReadonlyMap<number, readonly number[]> {
  table ??= buildFoldingTable()
  return table
}

function buildFoldingTable(): ReadonlyMap<number, readonly number[]> {
  const byFolding = new Map<string, number[]>()
  const folded = new Map<number, number[]>()
  for (const [first, last] of CASED_BLOCKS) {
    for (let code = first; code <= last; code += 1) {
      const char = String.fromCodePoint(code)
      if (!HAS_CASE.test(char)) continue
      const key = foldCase(char)
      const variants = byFolding.get(key) ?? []
      variants.push(code)
      byFolding.set(key, variants)
      if (code >= 0x80) folded.set(code, variants)
    }
  }
  return folded
}

const HAS_CASE = /[\p{Changes_When_Casemapped}\p{Changes_When_Casefolded}]/u

/** Folds a character; mappings to several characters, such as that of `ß` to `SS`, don't count. */
function foldCase(char: string): string {
  // The dotless i has the capital I, but does not fold to it.
  if (char === '\u0131') return char
  const upper = char.toUpperCase()
  const single = countCodePoints(upper) === 1 ? upper : char
  const lower = single.toLowerCase()
  return countCodePoints(lower) === 1 ? lower : single
}
