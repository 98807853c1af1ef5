import { DIFFERENCES } from './differences.js'

/** Collects differences, and compares them with the intended differences. */
export class Report {
  readonly #kind: string
  readonly #found = new Map<string, string[]>()
  #comparisons = 0

  /** @param kind the part of the list that this comparison can meet */
  constructor(kind: string) {
    this.#kind = kind
  }

  /** Compares a value of ours with the platform's. */
  compare(name: string, where: string, ours: unknown, theirs: unknown): void {
    const [left, right] = [JSON.stringify(ours), JSON.stringify(theirs)]
    this.add(name, left === right ? [] : [`${where}: ours ${left}, theirs ${right}`])
  }

  /** Adds the result of one comparison. */
  add(name: string, differences: readonly string[]): void {
    this.#comparisons += 1
    if (differences.length === 0) return
    this.#found.set(name, [...(this.#found.get(name) ?? []), ...differences])
  }

  /** Prints the result, and fails for unintended differences, and for intended differences that no longer exist. */
  end(): void {
    const meant = DIFFERENCES.filter(({ kind }) => kind === this.#kind)
    const unexpected = [...this.#found].filter(
      ([name]) => !meant.some((each) => each.name === name),
    )
    const gone = meant.filter(({ name }) => !this.#found.has(name))
    for (const { name, reason } of meant)
      console.log(`${this.#kind}: ${name}: ${this.#found.get(name)?.length ?? 0}, meant: ${reason}`)
    for (const [name, where] of unexpected)
      console.error(`${this.#kind}: ${name} differs:\n  ${where.slice(0, 5).join('\n  ')}`)
    for (const { name } of gone) console.error(`${this.#kind}: ${name} no longer differs`)
    console.log(`${this.#kind}: ${this.#comparisons} comparisons, ${unexpected.length} unexpected`)
    if (unexpected.length + gone.length > 0) process.exitCode = 1
  }
}
