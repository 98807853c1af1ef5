import { BodyInvalid } from '../../../errors.js'

/** The lines of a POSCAR file, numbered from 1. */
export class PoscarLines {
  readonly #lines: readonly string[]

  constructor(text: string) {
    this.#lines = text.split(/\r\n|\r|\n/)
  }

  /** Returns the first line, which is free text. */
  comment(): string {
    return this.#trimmed(1)
  }

  /**
   * Returns the words of a line, without the comment that starts at `!` or `#`.
   * @param expected what the line must be, for the message of the error
   * @throws BodyInvalid if there are no words
   */
  words(number: number, expected: string): [string, ...string[]] {
    const text = this.#trimmed(number).replace(/[!#].*/, '')
    const [first, ...others] = text.split(/\s+/).filter(Boolean)
    if (first === undefined) throw this.error(number, expected)
    return [first, ...others]
  }

  /** Returns a BodyInvalid that says what a line must be and quotes it. */
  error(number: number, expected: string): Error {
    const found =
      number > this.#lines.length ? 'but the file ends before it' : `not "${this.#trimmed(number)}"`
    return new BodyInvalid(`line ${number} of the POSCAR file must be ${expected}, ${found}`)
  }

  #trimmed(number: number): string {
    return (this.#lines[number - 1] ?? '').trim()
  }
}

/** Parses a number in Fortran's notation (`1`, `-.5`, `1.0E-3`, `1.0d0`); undefined if invalid. */
export const parseNumber = (word: string): number | undefined =>
  /^[+-]?(\d+\.?\d*|\.\d+)([ed][+-]?\d+)?$/i.test(word)
    ? toFinite(Number(word.replace(/d/i, 'e')))
    : undefined

/** Parses a whole number above 0; undefined if invalid. */
export const parseCount = (word: string): number | undefined =>
  /^\+?0*[1-9]\d*$/.test(word) ? Number(word) : undefined

/** Parses a boolean in Fortran's notation (`T`, `F`, `.TRUE.`, `.false.`); undefined if invalid. */
export function parseFlag(word: string): boolean | undefined {
  if (/^(t|\.t\.|\.?true\.?)$/i.test(word)) return true
  return /^(f|\.f\.|\.?false\.?)$/i.test(word) ? false : undefined
}

const toFinite = (value: number): number | undefined => (Number.isFinite(value) ? value : undefined)
