import { caseVariants } from './case-variants.js'
import { oneCharacter } from './fragment.js'
import type { Fragment } from './fragment.js'

/** Translates a literal character; where case is ignored, to a class of its case variants. */
export function literalFragment(char: string, ignoreCase: boolean): Fragment {
  const variants = ignoreCase ? caseVariants(char) : [char]
  return oneCharacter(
    variants.length === 1 ? escapeLiteral(char) : `[${variants.map(escapeInClass).join('')}]`,
  )
}

/** Escapes a character for use inside a JavaScript character class. */
export function escapeInClass(char: string): string {
  return /^[!-/:-@[-`{-~]$/.test(char) ? `\\x${char.charCodeAt(0).toString(16)}` : char
}

function escapeLiteral(char: string): string {
  return /^[\^$\\.*+?()[\]{}|/]$/.test(char) ? `\\${char}` : char
}
