import type { Captures } from './captures.js'
import { readClass } from './class.js'
import { END, readAssertion, readCharacter, readSet } from './escapes.js'
import type { Flags } from './flags.js'
import { assertion, caseVariants, classLiteral, literal, one, PatternRefused } from './part.js'
import type { Part } from './part.js'
import type { Reader } from './reader.js'

/** Any character. */
const ANY = '[\\s\\S]'

/** Reads what no bracket holds together: characters, sets of them, places and references. */
export class Atoms {
  /** Whether there is a letter whose case counts. */
  keepsCase = false
  /** Whether there is a letter whose case does not count. */
  ignoresCase = false

  readonly #reader: Reader
  readonly #captures: Captures
  /** Whether letters are to be spelled in both cases. */
  readonly #spells: boolean

  constructor(reader: Reader, captures: Captures, spells: boolean) {
    this.#reader = reader
    this.#captures = captures
    this.#spells = spells
  }

  /** One atom; throws where a quantifier has none. */
  read(flags: Flags): Part {
    const reader = this.#reader
    if (reader.quoted) return this.#literal(reader.take(), flags)
    if (reader.accept('[')) return this.#class(flags)
    if (reader.accept('\\')) return this.#escape(flags)
    if (reader.accept('.')) return one(flags.s ? ANY : '[^\\n]')
    if (reader.accept('^')) return assertion(flags.m ? `(?:^|(?<=\\n)(?=${ANY}))` : '^')
    if (reader.accept('$')) return assertion(flags.m ? '(?=\\n|$)' : END)
    if (reader.match(/(?=[*+?]|\{\d+(?:,\d*)?\})/y)) {
      throw new PatternRefused(`has a quantifier with nothing to repeat at ${reader.at}`)
    }
    return this.#literal(reader.take(), flags)
  }

  /** A reference to a group, whose text counts with or without its case. */
  reference(reference: Part, flags: Flags): Part {
    if (this.#spells && flags.i) {
      throw new PatternRefused('has (?i) in a part of it that refers to a group: not supported')
    }
    this.#noteCase(flags.i)
    return reference
  }

  #literal(char: string, flags: Flags): Part {
    const variants = caseVariants(char)
    if (variants.length === 1) return one(literal(char))
    this.#noteCase(flags.i)
    const spelled = this.#spells && flags.i
    return one(spelled ? `[${variants.map(classLiteral).join('')}]` : literal(char))
  }

  #class(flags: Flags): Part {
    const letters = flags.i ? (this.#spells ? 'spelled' : 'ignored') : 'counted'
    const rules = { letters, unicode: flags.unicode } as const
    const { source, keepsCase } = readClass(this.#reader, rules)
    if (/[\p{L}\\]/u.test(source)) this.#noteCase(flags.i && !keepsCase)
    return one(source)
  }

  #escape(flags: Flags): Part {
    const reference = this.#captures.readReference(this.#reader)
    if (reference !== undefined) return this.reference(reference, flags)
    const special = readAssertion(this.#reader, flags.unicode)
    if (special !== undefined) {
      // A boundary of words is one of ASCII letters, whatever the case.
      if (/A-Z|\\p/.test(special.source)) this.#noteCase(false)
      return special
    }
    const found = readSet(this.#reader, flags.unicode)
    if (found === undefined) return this.#literal(readCharacter(this.#reader), flags)
    if (found.keepsCase) this.#noteCase(false)
    return one(`[${found.negated ? '^' : ''}${found.set}]`)
  }

  #noteCase(ignored: boolean): void {
    if (ignored) this.ignoresCase = true
    else this.keepsCase = true
  }
}
