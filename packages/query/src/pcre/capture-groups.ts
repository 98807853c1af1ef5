import type { Fragment } from './fragment.js'
import { UnsupportedPatternError } from './pattern-reader.js'
import type { PatternReader } from './pattern-reader.js'

export class Group {
  readonly #parent: Group | undefined
  /** Whether a match can skip the group, because it is quantified with `?` or in a `(?!`. */
  isOptional = false
  /** Whether the group has alternatives, so that a match skips some of its content. */
  hasAlternatives = false
  isClosed = false

  constructor(parent?: Group) {
    this.#parent = parent
  }

  /** Whether the group has matched in every match that reaches the current position. */
  get hasMatched(): boolean {
    return this.isClosed && !this.isOptional && this.#parent?.isContentRequired !== false
  }

  /** Whether the group matches whenever an outer group does. */
  isRequiredWithin(outer: Group): boolean {
    if (this === outer) return true
    const parent = this.#parent
    if (this.isOptional || parent === undefined || parent.hasAlternatives) return false
    return parent.isRequiredWithin(outer)
  }

  get isContentRequired(): boolean {
    return !this.isOptional && !this.hasAlternatives && this.#parent?.isContentRequired !== false
  }
}

export class CaptureGroups {
  readonly #groups: Group[] = []
  readonly #numbers = new Map<string, number>()
  /** The number of groups of the whole pattern, estimated from its text. */
  readonly #total: number

  constructor(pattern: string) {
    this.#total = pattern.match(/\((?!\?)|\(\?(?:P?<[A-Za-z_]|')/g)?.length ?? 0
  }

  /** The number of groups so far. */
  get count(): number {
    return this.#groups.length
  }

  /** JavaScript forgets the captures of an earlier iteration; PCRE2 does not. */
  checkRepetition(from: number, repeated: Group): void {
    if (!this.#groups.slice(from).every((group) => group.isRequiredWithin(repeated))) {
      throw new UnsupportedPatternError(
        'repeats a group whose capture an iteration may leave out, which is not supported',
      )
    }
  }

  /** Adds a group, and returns its name in the translation. */
  add(group: Group, name: string | undefined): string {
    this.#groups.push(group)
    const number = this.#groups.length
    if (name !== undefined) {
      if (this.#numbers.has(name))
        throw new UnsupportedPatternError(`has two groups named "${name}"`)

      this.#numbers.set(name, number)
    }
    return translatedName(number)
  }

  /** `1`, `g{-1}` or `k<name>`; undefined also for digits that PCRE2 reads as an octal number. */
  parseReference(reader: PatternReader): Fragment | undefined {
    const digits = reader.match(/[1-9]\d*/y)?.[0]
    if (digits !== undefined) {
      const number = Number(digits)
      if (number < 10 || number <= this.#total || /^[89]/.test(digits)) return this.#refer(number)
      reader.position -= digits.length
      return undefined
    }
    const relative = reader.match(/g(?:\{(-?\d+)\}|(-?\d+))/y)
    if (relative !== undefined) {
      const value = Number(relative[1] ?? relative[2])
      return this.#refer(value < 0 ? this.#groups.length + 1 + value : value)
    }
    const name = reader.match(/k<(\w+)>|k'(\w+)'|[kg]\{([A-Za-z_]\w*)\}/y)
    return name && this.referTo((name[1] ?? name[2] ?? name[3])!)
  }

  referTo(name: string): Fragment {
    return this.#refer(this.#numbers.get(name) ?? 0)
  }

  #refer(number: number): Fragment {
    const group = this.#groups[number - 1]
    if (group === undefined)
      throw new UnsupportedPatternError('has a backreference to a group that does not precede it')

    // PCRE2 fails at a reference to a group that has not matched; JavaScript matches nothing.
    if (!group.hasMatched) {
      throw new UnsupportedPatternError(
        'has a backreference to a group that may not have matched, which is not supported',
      )
    }
    return {
      source: `\\k<${translatedName(number)}>`,
      minLength: 0,
      maxLength: Number.POSITIVE_INFINITY,
      maxPaths: 1,
      size: 4,
      isUnit: true,
    }
  }
}

/** Returns the name of a group. Numbers would shift, because atomic groups add groups. */
const translatedName = (number: number): string => `g${number}`
