/** The last time of a clock, in ms since the epoch. The texts of later times have another form. */
export const LAST_TIME = Date.parse('9999-12-31T23:59:59.999Z')

/** The state of a clock, as the controls return it. */
export interface ClockState {
  /** ISO 8601, in UTC. */
  readonly now: string
  /** The offset to the system's clock, in ms. */
  readonly offset: number
  /** Whether its time stands still. */
  readonly frozen: boolean
}

/**
 * The time of one store. It is the system's time until it is set or frozen, and stands still at the last
 * time. Items, jobs and sessions follow it. Features that only a mock has, such as the delays of faults
 * and the journal, follow the system's time.
 */
export class Clock {
  /** The offset in ms. */
  #offset = 0
  /** The time at which it stands still, in ms since the epoch. */
  #frozenAt: number | undefined
  #isRewound = false
  #version = 0

  /** Whether jobs are shown as they were at its time, also those that had ended before they were loaded. */
  get isRewound(): boolean {
    return this.#isRewound
  }

  /** A number that changes whenever the clock is set, frozen or reset. */
  get version(): number {
    return this.#version
  }

  get state(): ClockState {
    const system = Date.now()
    const now = this.#at(system)
    const frozen = this.#frozenAt !== undefined
    return { now: new Date(now).toISOString(), offset: now - system, frozen }
  }

  /** Returns the time in ms since the epoch. */
  now(): number {
    return this.#at(Date.now())
  }

  /** Returns the time at a time of the system. */
  #at(system: number): number {
    return this.#frozenAt ?? Math.min(system + this.#offset, LAST_TIME)
  }

  /**
   * Sets the time, in ms since the epoch. A frozen clock stays frozen.
   * @param isRewound whether jobs follow it to before they were loaded, from then on
   */
  set(time: number, isRewound: boolean): void {
    this.#isRewound = isRewound
    if (this.#frozenAt === undefined) this.#offset = time - Date.now()
    else this.#frozenAt = time
    this.#version += 1
  }

  /** Freezes the time, or lets it continue. */
  freeze(frozen: boolean): void {
    const now = this.now()
    this.#frozenAt = frozen ? now : undefined
    this.set(now, this.#isRewound)
  }

  /** Whether it has the time of the system. */
  get isSystem(): boolean {
    return this.#frozenAt === undefined && this.#offset === 0 && !this.#isRewound
  }

  /** Returns to the system's clock. */
  reset(): void {
    if (this.isSystem) return
    this.#isRewound = false
    this.#frozenAt = undefined
    this.#offset = 0
    this.#version += 1
  }
}
