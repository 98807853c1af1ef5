import { AtomParser } from './atom-parser.js'
import { atomicGroup, lookaround } from './atomic-groups.js'
import { CaptureGroups, Group } from './capture-groups.js'
import { changeFlags, parseOptions } from './flags.js'
import type { Flags } from './flags.js'
import { alternatives, assertion, sequence } from './fragment.js'
import type { Fragment } from './fragment.js'
import { parseGroupStart } from './group-syntax.js'
import type { GroupStart } from './group-syntax.js'
import { PatternLimitError, UnsupportedPatternError } from './pattern-errors.js'
import { PatternReader } from './pattern-reader.js'
import { parseQuantifier, repeat } from './quantifier.js'

/** The number of nested groups allowed, as in PCRE2. */
const MAX_NESTING = 250

/**
 * Translates a PCRE2 pattern in UTF mode to JavaScript source for the flag `u`
 * (https://www.pcre.org/current/doc/html/pcre2pattern.html). The result never needs the flag `i`,
 * with which `\w` would match U+017F: letters are written in all their cases. `options` are the
 * letters of `$options`. `keepsCaptures` gives each capturing group its name in the result, `g1`,
 * `g2`, …; otherwise only backreferences do.
 * @throws UnsupportedPatternError, PatternLimitError
 */
export function translate(pattern: string, options: string, keepsCaptures = false): Fragment {
  const [settings] = /^(?:\(\*(?:UTF8?|UCP)\))*/.exec(pattern) as RegExpExecArray
  const flags = parseOptions(options, settings.includes('UCP'))
  return new Translator(pattern.slice(settings.length), flags, keepsCaptures).translate()
}

/** A recursive-descent parser: alternatives of sequences of quantified atoms and groups. */
class Translator {
  readonly #reader: PatternReader
  readonly #captures: CaptureGroups
  readonly #atoms: AtomParser
  readonly #keepsCaptures: boolean
  readonly #hasReferences: boolean
  #flags: Flags
  #group = new Group()
  #nesting = 0
  #atomicCount = 0
  #isInLookbehind = false

  constructor(pattern: string, flags: Flags, keepsCaptures: boolean) {
    this.#reader = new PatternReader(pattern)
    this.#captures = new CaptureGroups(pattern)
    this.#atoms = new AtomParser(this.#reader, this.#captures)
    this.#keepsCaptures = keepsCaptures
    this.#hasReferences = keepsCaptures || /\\[1-9gk]|\(\?P=/.test(pattern)
    this.#flags = flags
  }

  translate(): Fragment {
    const fragment = alternatives(this.#parseBranches())
    if (!this.#reader.isAtEnd) throw new UnsupportedPatternError('has an unmatched )')
    return fragment
  }

  #parseBranches(): Fragment[] {
    const branches = [this.#parseSequence()]
    while (this.#reader.accept('|')) {
      this.#group.hasAlternatives = true
      branches.push(this.#parseSequence())
    }
    return branches
  }

  #parseSequence(): Fragment {
    const fragments: Fragment[] = []
    for (;;) {
      this.#reader.skipIgnored(this.#flags.x)
      if (this.#reader.isAtEnd || (!this.#reader.isQuoted && this.#reader.sees(/[|)]/y)))
        return sequence(fragments)

      fragments.push(this.#parseQuantified())
    }
  }

  #parseQuantified(): Fragment {
    const group = new Group(this.#group)
    const isGroup = !this.#reader.isQuoted && this.#reader.sees(/\(/y)
    const captureCount = this.#captures.count
    const atom = isGroup ? this.#parseParenthesis(group) : this.#atoms.parse(this.#flags)
    this.#reader.skipIgnored(this.#flags.x)
    const quantifier = this.#reader.isQuoted ? undefined : parseQuantifier(this.#reader)
    if (quantifier === undefined) return atom
    if (atom.isAssertion)
      throw new UnsupportedPatternError(`has the quantifier ${quantifier.source} on an assertion`)

    if (this.#keepsCaptures && quantifier.max > 1)
      this.#captures.checkRepetition(captureCount, group)
    if (quantifier.min === 0) group.isOptional = true
    const repeated = repeat(atom, quantifier)
    return quantifier.isPossessive ? this.#makeAtomic(repeated) : repeated
  }

  #parseParenthesis(group: Group): Fragment {
    const name = this.#reader.match(/\(\?P=(\w+)\)/y)?.[1]
    if (name !== undefined) return this.#atoms.referTo(name, this.#flags)
    const start = parseGroupStart(this.#reader)
    if (start.kind === 'flags' && !start.hasBody) {
      this.#flags = changeFlags(this.#flags, start.change)
      return assertion('')
    }
    return this.#parseGroup(start, group)
  }

  #parseGroup(start: GroupStart, group: Group): Fragment {
    const outer = { flags: this.#flags, group: this.#group, isInLookbehind: this.#isInLookbehind }
    this.#nesting += 1
    if (this.#nesting > MAX_NESTING)
      throw new PatternLimitError(`must nest at most ${MAX_NESTING} groups`)

    this.#group = group
    const name = start.kind === 'capture' ? this.#captures.add(group, start.name) : ''
    if (start.kind === 'flags') this.#flags = changeFlags(this.#flags, start.change)
    if (start.kind === 'lookaround') {
      this.#isInLookbehind ||= start.start.startsWith('(?<')
      group.isOptional = start.start.endsWith('!')
    }
    const branches = this.#parseBranches()
    if (!this.#reader.accept(')')) throw new UnsupportedPatternError('has an unclosed (')
    group.isClosed = true
    this.#nesting -= 1
    this.#flags = outer.flags
    this.#group = outer.group
    this.#isInLookbehind = outer.isInLookbehind
    return this.#closeGroup(start, branches, name)
  }

  #closeGroup(start: GroupStart, branches: readonly Fragment[], name: string): Fragment {
    const body = alternatives(branches)
    switch (start.kind) {
      case 'lookaround':
        return lookaround(start.start, branches, this.#hasReferences)
      case 'atomic':
        return this.#makeAtomic(body)
      case 'capture': {
        // Without backreferences, nothing needs to be captured.
        const opening = this.#hasReferences ? `(?<${name}>` : '(?:'
        return { ...body, source: `${opening}${body.source})`, isUnit: true }
      }
      default:
        return { ...body, source: `(?:${body.source})`, isUnit: true }
    }
  }

  #makeAtomic(fragment: Fragment): Fragment {
    if (this.#isInLookbehind) {
      throw new UnsupportedPatternError(
        'has an atomic group or possessive quantifier in a lookbehind, which is not supported',
      )
    }
    this.#atomicCount += 1
    return atomicGroup(fragment, `a${this.#atomicCount}`)
  }
}
