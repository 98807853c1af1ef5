import { PatternRefused } from './part.js'
import type { Part } from './part.js'
import type { Reader } from './reader.js'

/** A group on its way to the end; what is known of it decides on references to it. */
export class Group {
  readonly #parent: Group | undefined
  /** Whether a match can go past the group without it: a `?` behind it, a `(?!`. */
  avoidable = false
  /** Whether a match goes past some of what is in the group: it has alternatives. */
  hasChoice = false
  closed = false

  constructor(parent?: Group) {
    this.#parent = parent
  }

  /** Whether the group has matched wherever what stands behind it is reached. */
  get isCertain(): boolean {
    return this.closed && !this.avoidable && (this.#parent?.isCertainInside ?? true)
  }

  get isCertainInside(): boolean {
    return !this.avoidable && !this.hasChoice && (this.#parent?.isCertainInside ?? true)
  }
}

/** The groups of a pattern that can be referred to, in the order of their opening. */
export class Captures {
  readonly #groups: Group[] = []
  readonly #names = new Map<string, number>()
  readonly #total: number

  constructor(pattern: string) {
    this.#total = pattern.match(/\((?!\?)|\(\?(?:P?<[A-Za-z_]|')/g)?.length ?? 0
  }

  get count(): number {
    return this.#groups.length
  }

  open(group: Group, name: string | undefined): void {
    this.#groups.push(group)
    if (name === undefined) return
    if (this.#names.has(name)) throw new PatternRefused(`has two groups of the name "${name}"`)
    this.#names.set(name, this.#groups.length)
  }

  /** Says of all groups from one on that a match can go past them. */
  avoidFrom(first: number): void {
    for (const group of this.#groups.slice(first)) group.avoidable = true
  }

  /** Reads `1`, `g{-1}` or `k<name>` after a backslash; other digits are an octal number. */
  readReference(reader: Reader): Part | undefined {
    const number = reader.match(/([1-9]\d*)/y)?.[1]
    if (number !== undefined) {
      if (+number < 10 || +number <= this.#total || /^[89]/.test(number)) return this.#to(+number)
      reader.at -= number.length
      return undefined
    }
    const relative = reader.match(/g(?:\{(-?\d+)\}|(-?\d+))/y)
    if (relative !== undefined) {
      const value = Number(relative[1] ?? relative[2])
      return this.#to(value < 0 ? this.count + 1 + value : value)
    }
    const name = reader.match(/(?:k<(\w+)>|k'(\w+)'|[kg]\{([A-Za-z_]\w*)\})/y)
    return name && this.toName((name[1] ?? name[2] ?? name[3]) as string)
  }

  toName(name: string): Part {
    return this.#to(this.#names.get(name) ?? 0)
  }

  #to(number: number): Part {
    const group = this.#groups[number - 1]
    if (group === undefined) throw new PatternRefused('refers to a group that is not before it')
    // PCRE2 fails at a group that has not matched, JavaScript takes it for an empty text.
    if (!group.isCertain) {
      throw new PatternRefused('refers to a group that may not have matched: not supported')
    }
    return { source: `\\k<${nameOf(number)}>`, width: Number.NaN, paths: 1 }
  }
}

/** The name of a group in the translated pattern; numbers would be shifted by atomic groups. */
export const nameOf = (number: number): string => `g${number}`
