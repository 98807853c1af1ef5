/** Reads a pattern from left to right. */
export class PatternReader {
  readonly text: string
  position = 0
  /** Whether the position is between `\Q` and `\E`, where every character is a literal. */
  isQuoted = false

  constructor(text: string) {
    this.text = text
  }

  get isAtEnd(): boolean {
    return this.position >= this.text.length
  }

  /** Tests a sticky expression at the position, without moving. */
  sees(expression: RegExp): boolean {
    expression.lastIndex = this.position
    return expression.test(this.text)
  }

  /** Moves past a string if it comes next; returns whether it did. */
  accept(text: string): boolean {
    const isNext = this.text.startsWith(text, this.position)
    if (isNext) this.position += text.length
    return isNext
  }

  /** Moves past the match of a sticky expression, and returns it. */
  match(expression: RegExp): RegExpExecArray | undefined {
    expression.lastIndex = this.position
    const found = expression.exec(this.text)
    if (found === null) return undefined
    this.position += found[0].length
    return found
  }

  /** Moves past one character (a code point), and returns it. */
  next(): string {
    const char = String.fromCodePoint(this.text.codePointAt(this.position) as number)
    this.position += char.length
    return char
  }

  /** Moves past `\Q`, `\E`, comments and, in extended mode, blanks. */
  skipIgnored(isExtended: boolean): void {
    for (;;) {
      if (this.isQuoted) {
        if (!this.accept('\\E')) return
        this.isQuoted = false
      } else if (this.accept('\\Q')) {
        this.isQuoted = true
      } else {
        const ignored =
          this.match(/\\E|\(\?#[^)]*\)/y) ?? (isExtended ? this.match(BLANKS) : undefined)
        if (ignored === undefined) return
      }
    }
  }
}

const BLANKS = /[\t-\r \x85\u200e\u200f\u2028\u2029]+|#[^\n]*\n?/y
