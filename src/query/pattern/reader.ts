/** Reads a pattern from left to right. */
export class Reader {
  readonly text: string
  at = 0
  /** Whether all stands for itself, between `\Q` and `\E`. */
  quoted = false

  constructor(text: string) {
    this.text = text
  }

  get ended(): boolean {
    return this.at >= this.text.length
  }

  /** Whether the text goes on with what a sticky expression matches. */
  sees(expression: RegExp): boolean {
    expression.lastIndex = this.at
    return expression.test(this.text)
  }

  /** Goes past a text, if that is what follows. */
  accept(text: string): boolean {
    const seen = this.text.startsWith(text, this.at)
    if (seen) this.at += text.length
    return seen
  }

  /** Goes past what a sticky expression matches here, and gives its groups. */
  match(expression: RegExp): RegExpExecArray | undefined {
    expression.lastIndex = this.at
    const found = expression.exec(this.text)
    if (found === null) return undefined
    this.at += found[0].length
    return found
  }

  /** Goes past one character, a code point. */
  take(): string {
    const char = String.fromCodePoint(this.text.codePointAt(this.at) as number)
    this.at += char.length
    return char
  }

  /** Goes past what matches nothing: quotation marks, comments, and blanks in `x` mode. */
  skip(blanks: boolean): void {
    for (;;) {
      if (this.quoted) {
        if (!this.accept('\\E')) return
        this.quoted = false
      } else if (this.accept('\\Q')) {
        this.quoted = true
      } else {
        const comment = this.match(/\\E|\(\?#[^)]*\)/y) ?? (blanks ? this.match(BLANKS) : undefined)
        if (comment === undefined) return
      }
    }
  }
}

const BLANKS = /[\t-\r \x85\u200e\u200f\u2028\u2029]+|#[^\n]*\n?/y
