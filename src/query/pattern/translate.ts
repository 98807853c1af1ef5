import { Atoms } from './atoms.js'
import { Captures, Group, nameOf } from './captures.js'
import { changed } from './flags.js'
import type { Flags } from './flags.js'
import { readOpening, readVerb } from './opening.js'
import type { Opening } from './opening.js'
import { assertion, PatternRefused } from './part.js'
import type { Part } from './part.js'
import { readQuantifier, repeat } from './quantifier.js'
import { Reader } from './reader.js'

/** A pattern in JavaScript's form. */
export interface Translation extends Part {
  readonly ignoresCase: boolean
}

/**
 * Translates a pattern of PCRE2, which MongoDB uses in its UTF mode, to one of JavaScript with the
 * flag `u` (https://www.pcre.org/current/doc/html/pcre2pattern.html). Where the two mean different
 * things by the same text (`$`, `.`, `\s`, `\h`, `x`, `(?i)`, `a++`), the answer is PCRE2's. Throws
 * PatternRefused for what PCRE2 refuses, and by name for what JavaScript has no equal of.
 */
export function translate(pattern: string, options: Flags): Translation {
  const [start] = /^(?:\(\*(?:UTF8?|UCP)\))*/.exec(pattern) as RegExpExecArray
  const flags = { ...options, unicode: start.includes('UCP') }
  return translateBody(pattern.slice(start.length), flags)
}

function translateBody(pattern: string, flags: Flags): Translation {
  const first = new Translator(pattern, flags, false)
  const part = first.whole()
  if (!first.mixesCases) return { ...part, ignoresCase: first.ignoresCase }
  // JavaScript's flag i is for the whole pattern; for a part of it letters are spelled in both cases.
  return { ...new Translator(pattern, flags, true).whole(), ignoresCase: false }
}

/** One pass over a pattern: alternatives of sequences of repeated atoms and groups. */
class Translator {
  readonly #reader: Reader
  readonly #captures: Captures
  readonly #atoms: Atoms
  readonly #refers: boolean
  #flags: Flags
  readonly #root = new Group()
  #group = this.#root
  #atomics = 0
  #behind = false

  constructor(pattern: string, flags: Flags, spells: boolean) {
    this.#reader = new Reader(pattern)
    this.#captures = new Captures(pattern)
    this.#atoms = new Atoms(this.#reader, this.#captures, spells)
    this.#refers = /\\[1-9gk]|\(\?P=/.test(pattern)
    this.#flags = flags
  }

  get ignoresCase(): boolean {
    return this.#atoms.ignoresCase
  }

  get mixesCases(): boolean {
    return this.#atoms.ignoresCase && this.#atoms.keepsCase
  }

  whole(): Part {
    const part = this.#alternatives()
    if (!this.#reader.ended) throw new PatternRefused('has a ) that closes nothing')
    return part
  }

  #alternatives(isLookbehind = false): Part {
    const branches = [this.#sequence()]
    while (this.#reader.accept('|')) {
      this.#group.hasChoice = true
      branches.push(this.#sequence())
    }
    const widths = branches.map(({ width }) => width)
    const same = widths.every((width) => width === widths[0])
    const fixed = widths.every((width) => !Number.isNaN(width))
    return {
      source: branches.map(({ source }) => source).join('|'),
      // A lookbehind's own branches may differ in width, as long as each is fixed.
      width: same || (isLookbehind && fixed) ? (widths[0] as number) : Number.NaN,
      paths: branches.reduce((sum, { paths }) => sum + paths, 0),
    }
  }

  #sequence(): Part {
    let [source, width, paths] = ['', 0, 1]
    let accepted = false
    for (;;) {
      this.#reader.skip(this.#flags.x)
      if (this.#reader.ended || (!this.#reader.quoted && this.#reader.sees(/[|)]/y))) break
      accepted ||= this.#accepts()
      const piece = this.#quantified()
      // What stands behind (*ACCEPT) has to be a pattern, but is never reached.
      if (accepted) continue
      source += piece.source
      width += piece.width
      paths *= piece.paths
    }
    return { source, width, paths }
  }

  /** Goes past `(*ACCEPT)`, which ends a match; in a group JavaScript has no equal of it. */
  #accepts(): boolean {
    return this.#group === this.#root && this.#reader.match(/(?=\(\*ACCEPT\))/y) !== undefined
  }

  #quantified(): Part {
    const captured = this.#captures.count
    const isGroup = !this.#reader.quoted && this.#reader.sees(/\(/y)
    const atom = isGroup ? this.#grouped() : this.#atoms.read(this.#flags)
    this.#reader.skip(this.#flags.x)
    const quantifier = this.#reader.quoted ? undefined : readQuantifier(this.#reader)
    if (quantifier === undefined) return atom
    if (atom.isPlace) throw new PatternRefused(`has the quantifier ${quantifier.source} of a place`)
    if (quantifier.min === 0) this.#captures.avoidFrom(captured)
    // JavaScript repeats characters and groups only.
    const repeats = isGroup ? atom.source.startsWith('(?:') : atom.width === 1
    const repeated = repeat(repeats ? atom : { ...atom, source: `(?:${atom.source})` }, quantifier)
    return quantifier.possessive ? this.#atomic(repeated) : repeated
  }

  #grouped(): Part {
    const named = this.#reader.match(/\(\?P=(\w+)\)/y)?.[1]
    if (named !== undefined) return this.#atoms.reference(this.#captures.toName(named), this.#flags)
    const verb = readVerb(this.#reader, this.#group === this.#root)
    if (verb !== undefined) return verb
    const opening = readOpening(this.#reader)
    if (opening.kind === 'flags' && opening.closed) {
      this.#flags = changed(this.#flags, opening.flags)
      return assertion('')
    }
    return this.#inside(opening)
  }

  #inside(opening: Opening): Part {
    const outer = { flags: this.#flags, group: this.#group, behind: this.#behind }
    const group = new Group(outer.group)
    this.#group = group
    if (opening.kind === 'capture') this.#captures.open(group, opening.name)
    const number = this.#captures.count
    if (opening.kind === 'flags') this.#flags = changed(this.#flags, opening.flags)
    const isLookbehind = opening.kind === 'look' && opening.open.startsWith('(?<')
    this.#behind ||= isLookbehind
    if (opening.kind === 'look') group.avoidable = opening.open.endsWith('!')
    const part = this.#alternatives(isLookbehind)
    if (!this.#reader.accept(')')) throw new PatternRefused('has a ( that is not closed')
    group.closed = true
    this.#flags = outer.flags
    this.#group = outer.group
    this.#behind = outer.behind
    return this.#closed(opening, part, number)
  }

  #closed(opening: Opening, part: Part, number: number): Part {
    switch (opening.kind) {
      case 'look':
        if (opening.open.startsWith('(?<') && Number.isNaN(part.width)) {
          throw new PatternRefused('looks behind for a text that has no fixed length')
        }
        return { source: `${opening.open}${part.source})`, width: 0, paths: part.paths }
      case 'atomic':
        return this.#atomic(part)
      case 'capture':
        // Groups that nothing refers to need not be kept.
        return {
          ...part,
          source: `(?${this.#refers ? `<${nameOf(number)}>` : ':'}${part.source})`,
        }
      default:
        return { ...part, source: `(?:${part.source})` }
    }
  }

  /** A piece that is not tried again: JavaScript never goes back into a lookahead. */
  #atomic(part: Part): Part {
    if (this.#behind) throw new PatternRefused('looks behind for an atomic group: not supported')
    this.#atomics += 1
    const name = `a${this.#atomics}`
    return { ...part, source: `(?:(?=(?<${name}>${part.source}))\\k<${name}>)` }
  }
}
