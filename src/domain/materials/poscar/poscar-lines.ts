import { BodyInvalid } from '../../../errors.js'

/** The lines of a POSCAR file, by their numbers from 1, and what is said of a wrong one. */
export class PoscarLines {
  readonly #lines: readonly string[]

  constructor(text: string) {
    this.#lines = text.split(/\r\n|\r|\n/)
  }

  /** The first line, which says what one likes. */
  comment(): string {
    return this.#textOf(1)
  }

  /**
   * The words of a line, without the comment that `!` or `#` begins.
   *
   * @throws BodyInvalid with what was `wanted` there, if there are none.
   */
  words(number: number, wanted: string): [string, ...string[]] {
    const text = this.#textOf(number).replace(/[!#].*/, '')
    const [first, ...others] = text.split(/\s+/).filter(Boolean)
    if (first === undefined) throw this.refuse(number, wanted)
    return [first, ...others]
  }

  /** The error that says what a line must be, quoting what it is. */
  refuse(number: number, wanted: string): Error {
    const found =
      number > this.#lines.length ? 'the file ends before it' : `not "${this.#textOf(number)}"`
    return new BodyInvalid(`line ${number} of the POSCAR file must be ${wanted}, ${found}`)
  }

  #textOf(number: number): string {
    return (this.#lines[number - 1] ?? '').trim()
  }
}

/** A number as Fortran writes it: `1`, `-.5`, `1.0E-3`, `1.0d0`; undefined if it is none. */
export const parseNumber = (word: string): number | undefined =>
  /^[+-]?(\d+\.?\d*|\.\d+)([ed][+-]?\d+)?$/i.test(word)
    ? finite(Number(word.replace(/d/i, 'e')))
    : undefined

/** A whole number above 0; undefined if it is none. */
export const parseCount = (word: string): number | undefined =>
  /^\+?0*[1-9]\d*$/.test(word) ? Number(word) : undefined

/** A truth value as Fortran writes it: `T`, `F`, `.TRUE.`, `.false.`; undefined if it is none. */
export const parseFlag = (word: string): boolean | undefined => {
  if (/^(t|\.t\.|\.?true\.?)$/i.test(word)) return true
  return /^(f|\.f\.|\.?false\.?)$/i.test(word) ? false : undefined
}

const finite = (value: number): number | undefined => (Number.isFinite(value) ? value : undefined)
