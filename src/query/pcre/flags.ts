/** The options in effect at one position of a pattern. */
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
