/** Unicode's simple case folding, as in PCRE2: `s` has `S` and U+017F, `k` has `K` and U+212A. */
export const caseVariants = (char: string): readonly string[] =>
  getCasedCharacters().includes(char) ? findVariants(escape(char)) : [char]

/** Returns the variants of the characters in a range of code points that lie outside it. */
export function variantsOutside(first: number, last: number): readonly string[] {
  const range = [first, last].map((code) => escape(String.fromCodePoint(code))).join('-')
  return findVariants(`[${range}]`).filter((char) => {
    const code = char.codePointAt(0)!
    return code < first || code > last
  })
}

const escape = (char: string): string => `\\u{${char.codePointAt(0)!.toString(16)}}`

/** Returns the characters that match a source where case is ignored, by the engine's own folding. */
const findVariants = (source: string): readonly string[] =>
  // bounded: the source is one character, or one range
  getCasedCharacters().match(new RegExp(source, 'giu')) ?? []

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

// U+0390 and U+1FD3 are equal since Unicode 15.1, and so are U+03B0 and U+1FE3.
const CASED =
  /(?![\u0390\u03b0\u1fd3\u1fe3])[\p{Changes_When_Casemapped}\p{Changes_When_Casefolded}]/u

let casedCharacters: string | undefined

/** Returns the letters with case. The text is built once. */
function getCasedCharacters(): string {
  casedCharacters ??= CASED_BLOCKS.flatMap(([first, last]) =>
    Array.from({ length: last - first + 1 }, (_, index) => String.fromCodePoint(first + index)),
  )
    .filter((char) => CASED.test(char))
    .join('')
  return casedCharacters
}
