/** Rejected by PCRE2, or without an equivalent. A predicate of the pattern: `has an unclosed [`. */
export class UnsupportedPatternError extends Error {}

/** The error for a pattern that exceeds a limit. The message is a predicate too: `must have …`. */
export class PatternLimitError extends Error {}

export interface Flags {
  /** Case-insensitive. */
  readonly i: boolean
  /** Multiline: `^` and `$` also match at newlines. */
  readonly m: boolean
  /** Dot-all: `.` also matches a newline. */
  readonly s: boolean
  /** Extended: blanks and `#` comments are ignored. */
  readonly x: boolean
  /** `(*UCP)`: `\d`, `\s`, `\w`, `\b` and POSIX classes use Unicode properties. */
  readonly ucp: boolean
}

const NO_FLAGS: Flags = { i: false, m: false, s: false, x: false, ucp: false }

/** Returns the flags for a `$options` string. `u` has no effect: UTF mode is always on. */
export function parseOptions(options: string, ucp: boolean): Flags {
  return changeFlags({ ...NO_FLAGS, ucp }, options)
}

/** Applies an inline change: `i` and `s-x` change the named flags, `^i` clears all others. */
export function changeFlags(flags: Flags, change: string): Flags {
  const [on = '', off = ''] = change.split('-')
  const start = on.startsWith('^') ? NO_FLAGS : flags
  const isOn = (letter: 'i' | 'm' | 's' | 'x'): boolean =>
    !off.includes(letter) && (start[letter] || on.includes(letter))
  return { i: isOn('i'), m: isOn('m'), s: isOn('s'), x: isOn('x'), ucp: flags.ucp }
}

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
    const char = String.fromCodePoint(this.text.codePointAt(this.position)!)
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
