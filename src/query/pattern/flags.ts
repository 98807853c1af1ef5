/** What holds at one place in a pattern: its letters `i`, `m`, `s` and `x`. */
export interface Flags {
  readonly i: boolean
  readonly m: boolean
  readonly s: boolean
  readonly x: boolean
  /** Whether `\d`, `\s`, `\w` and the named classes are of all Unicode: `(*UCP)` at the start. */
  readonly unicode: boolean
}

const none: Flags = { i: false, m: false, s: false, x: false, unicode: false }

/** The flags of `$options`; `u` says what is so in any case. */
export const flagsOf = (options: string): Flags => changed(none, options)

/** Flags as `i`, `-m`, `s-x` or `^i` (all off but i) change them. */
export function changed(flags: Flags, change: string): Flags {
  const [on = '', off = ''] = change.split('-')
  const start = on.startsWith('^') ? none : flags
  const set = (letter: 'i' | 'm' | 's' | 'x'): boolean =>
    !off.includes(letter) && (start[letter] || on.includes(letter))
  return { i: set('i'), m: set('m'), s: set('s'), x: set('x'), unicode: flags.unicode }
}
