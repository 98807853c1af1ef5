import { CaptureGroups, Group } from './capture-groups.js'
import { caseVariants } from './case-variants.js'
import {
  escapeInClass,
  namedSet,
  parseCharacterEscape,
  parseClass,
  parseSetEscape,
} from './characters.js'
import {
  alternatives,
  assertion,
  oneCharacter,
  parseQuantifier,
  repeat,
  sequence,
} from './fragment.js'
import type { Fragment } from './fragment.js'
import {
  changeFlags,
  parseOptions,
  PatternLimitError,
  PatternReader,
  UnsupportedPatternError,
} from './pattern-reader.js'
import type { Flags } from './pattern-reader.js'

/** The largest number of nested groups, as in PCRE2. */
const MAX_NESTING = 250

/**
 * Translates a PCRE2 pattern in UTF mode to JavaScript source for the flag `u`
 * (https://www.pcre.org/current/doc/html/pcre2pattern.html). The result never needs the flag `i`, with
 * which `\w` would match U+017F: letters are written in all their cases. `options` are the letters of
 * `$options`. `keepsCaptures` gives each capturing group its name in the result, `g1`, `g2`, …;
 * otherwise only groups with backreferences have names.
 * @throws UnsupportedPatternError, PatternLimitError
 */
export function translate(pattern: string, options: string, keepsCaptures = false): Fragment {
  const [settings] = /^(?:\(\*(?:UTF8?|UCP)\))*/.exec(pattern)!
  const flags = parseOptions(options, settings.includes('UCP'))
  return new Translator(pattern.slice(settings.length), flags, keepsCaptures).translate()
}

/** The size of a Unicode property in a class: V8 takes 0.2 to 0.4 ms to compile one. */
const PROPERTY_SIZE = 32

const ANY_CHARACTER = '[\\s\\S]'

/** A recursive-descent parser: alternatives of sequences of quantified atoms and groups. */
class Translator {
  readonly #reader: PatternReader
  readonly #captures: CaptureGroups
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
    const atom = isGroup ? this.#parseParenthesis(group) : this.#parseAtom()
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

  /** Parses a literal, a class, an escape or an assertion. Throws if there is a quantifier instead. */
  #parseAtom(): Fragment {
    const reader = this.#reader
    const flags = this.#flags
    if (reader.isQuoted) return literalFragment(reader.next(), flags.i)
    if (reader.accept('[')) return classFragment(parseClass(reader, flags))
    if (reader.accept('\\')) return this.#parseEscape()
    if (reader.accept('.')) return oneCharacter(flags.s ? ANY_CHARACTER : '[^\\n]', 3)
    if (reader.accept('^'))
      return flags.m ? assertion(`(?:^|(?<=\\n)(?=${ANY_CHARACTER}))`, 4) : assertion('^')

    if (reader.accept('$')) return assertion(flags.m ? '(?=\\n|$)' : END, 4)
    if (reader.sees(/[*+?]|\{\d+(?:,\d*)?\}/y)) {
      throw new UnsupportedPatternError(
        `has a quantifier with nothing to repeat at position ${reader.position}`,
      )
    }
    return literalFragment(reader.next(), flags.i)
  }

  #parseEscape(): Fragment {
    const reader = this.#reader
    const flags = this.#flags
    const reference = this.#captures.parseReference(reader)
    if (reference !== undefined) return requireCase(reference, flags)
    const outside = parseOutsideEscape(reader, flags.ucp)
    if (outside !== undefined) return outside
    const found = parseSetEscape(reader, flags.ucp)
    if (found === undefined) return literalFragment(parseCharacterEscape(reader), flags.i)
    return classFragment(`[${found.isNegated ? '^' : ''}${found.set}]`)
  }

  #parseParenthesis(group: Group): Fragment {
    const name = this.#reader.match(/\(\?P=(\w+)\)/y)?.[1]
    if (name !== undefined) return requireCase(this.#captures.referTo(name), this.#flags)
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

/** The start of a group. `change` is the `i-m` of `(?i-m:` and of `(?i-m)`, which has no body. */
type GroupStart =
  | { readonly kind: 'plain' | 'atomic' }
  | { readonly kind: 'capture'; readonly name: string | undefined }
  | { readonly kind: 'lookaround'; readonly start: Lookaround }
  | { readonly kind: 'flags'; readonly change: string; readonly hasBody: boolean }

type Lookaround = '(?=' | '(?!' | '(?<=' | '(?<!'

const LOOKAROUNDS: readonly Lookaround[] = ['(?=', '(?!', '(?<=', '(?<!']

/** Parses the start of a group, up to its body; throws for kinds that are not supported. */
function parseGroupStart(reader: PatternReader): GroupStart {
  const start = LOOKAROUNDS.find((each) => reader.accept(each))
  if (start !== undefined) return { kind: 'lookaround', start }
  if (reader.accept('(?:')) return { kind: 'plain' }
  if (reader.accept('(?>')) return { kind: 'atomic' }
  const named = reader.match(/\(\?(?:P?<([A-Za-z_]\w*)>|'([A-Za-z_]\w*)')/y)
  if (named !== undefined) return { kind: 'capture', name: named[1] ?? named[2] }
  const flags = reader.match(
    /\(\?((?!\w*xx|[^:)]*-\w*xx)(?:\^[imsx]*|[imsx]*(?:-[imsx]*)?))([:)])/y,
  )
  if (flags !== undefined) return { kind: 'flags', change: flags[1]!, hasBody: flags[2] === ':' }

  const verb = reader.match(/\(\*[^)]{0,20}\)?/y)?.[0]
  if (verb !== undefined)
    throw new UnsupportedPatternError(`has the verb ${verb}, which is not supported`)

  const other = reader.match(/\(\?[^):]{0,8}/y)?.[0]
  if (other !== undefined) throw new UnsupportedPatternError(`has ${other}, which is not supported`)
  reader.accept('(')
  return { kind: 'capture', name: undefined }
}

/**
 * Forbids backtracking into a fragment. JavaScript never backtracks into a lookahead, so the result
 * is a lookahead that captures the fragment under `name`, and a backreference to it.
 */
function atomicGroup(fragment: Fragment, name: string): Fragment {
  rejectRepeatedEmpty(fragment)
  const source = `(?:(?=(?<${name}>${fragment.source}))\\k<${name}>)`
  return { ...fragment, source, size: fragment.size + 14, isUnit: true }
}

/** Translates a lookaround; `start` is its opening: `(?=`, `(?!`, `(?<=` or `(?<!`. */
function lookaround(
  start: string,
  branches: readonly Fragment[],
  hasReferences: boolean,
): Fragment {
  const isFixed = branches.every(({ minLength, maxLength }) => minLength === maxLength)
  if (start.startsWith('(?<') && !isFixed)
    throw new UnsupportedPatternError('has a lookbehind whose branches are not of fixed length')

  const body = alternatives(branches)
  // Only its captures depend on which match comes first.
  if (hasReferences) rejectRepeatedEmpty(body)
  return { ...body, source: `${start}${body.source})`, minLength: 0, maxLength: 0 }
}

/** PCRE2 ends a loop at an empty iteration; JavaScript backtracks, and may match another way. */
function rejectRepeatedEmpty({ repeatsEmpty }: Fragment): void {
  if (repeatsEmpty !== true) return
  throw new UnsupportedPatternError(
    'repeats a possibly empty match where there is no backtracking, which is not supported',
  )
}

/** Returns a backreference. JavaScript can't ignore case in it without the flag i. */
function requireCase(reference: Fragment, flags: Flags): Fragment {
  if (!flags.i) return reference
  throw new UnsupportedPatternError(
    'has a backreference where case is ignored, which is not supported',
  )
}

/** V8 takes seconds to compile eight `\p{L}` in a row, and ms with each in its own lookahead. */
function classFragment(source: string): Fragment {
  const properties = source.split('\\p').length - 1
  if (properties === 0) return oneCharacter(source, 3)
  const size = properties * PROPERTY_SIZE
  return { ...oneCharacter(`(?=${source})${ANY_CHARACTER}`, size), isUnit: false }
}

/** Translates a literal character; where case is ignored, to a class of its case variants. */
function literalFragment(char: string, ignoreCase: boolean): Fragment {
  const variants = ignoreCase ? caseVariants(char) : [char]
  return oneCharacter(
    variants.length === 1 ? escapeLiteral(char) : `[${variants.map(escapeInClass).join('')}]`,
  )
}

function escapeLiteral(char: string): string {
  return /^[\^$\\.*+?()[\]{}|/]$/.test(char) ? `\\${char}` : char
}

/** `$` and `\Z`: the end of the text, or the newline at its end. */
export const END = '(?=\\n?$)'

const NEWLINE_SEQUENCE = '(?:\\r\\n|(?!\\r\\n)[\\n-\\r\\x85\\u2028\\u2029])'

const OUTSIDE_CLASSES = new Map<string, Fragment>([
  ['A', assertion('^')],
  ['G', assertion('^')],
  ['z', assertion('$')],
  ['Z', assertion(END)],
  ['N', oneCharacter('[^\\n]', 3)],
  [
    'R',
    { source: NEWLINE_SEQUENCE, minLength: 1, maxLength: 2, maxPaths: 1, size: 6, isUnit: true },
  ],
])

/** Parses an escape that is allowed only outside classes, after its backslash. */
function parseOutsideEscape(reader: PatternReader, isUcp: boolean): Fragment | undefined {
  const boundary = reader.match(/[bB]/y)?.[0]
  if (boundary !== undefined) return wordBoundary(boundary, isUcp)
  if (reader.sees(/N\{(?!\d)/y))
    throw new UnsupportedPatternError('has \\N{, which is not supported')

  const found = OUTSIDE_CLASSES.get(reader.text[reader.position] ?? '')
  if (found !== undefined) reader.position += 1
  return found
}

/** Avoids JavaScript's own `\b`: V8's time to compile a row of them doubles with each. */
function wordBoundary(kind: string, isUcp: boolean): Fragment {
  const word = `[${namedSet('w', isUcp)}]`
  return assertion(
    kind === 'b'
      ? `(?:(?<=${word})(?!${word})|(?<!${word})(?=${word}))`
      : `(?:(?<=${word})(?=${word})|(?<!${word})(?!${word}))`,
    8,
  )
}
