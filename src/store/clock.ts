import { LAST_TIME } from '@materials-mock/api'
import type { ClockState } from '@materials-mock/api'

export interface ClockSettings {
  readonly offset: number
  /** The time at which it stands still, in ms since the epoch. */
  readonly frozenAt?: number | undefined
  /** Whether jobs are shown as they were at its time, also those that had ended before they were loaded. */
  readonly isRewound: boolean
}

const SYSTEM: ClockSettings = { offset: 0, isRewound: false }

/**
 * The system's time until it is set or frozen; it stands still at the last time. Items, jobs and
 * sessions follow it; the delays of faults and the journal follow the system.
 */
export class Clock {
  #settings = SYSTEM
  #version = 0

  get settings(): ClockSettings {
    return this.#settings
  }

  set settings(settings: ClockSettings) {
    this.#settings = settings
    this.#version += 1
  }

  get isRewound(): boolean {
    return this.#settings.isRewound
  }

  /** A number that changes whenever the clock is set, frozen or reset. */
  get version(): number {
    return this.#version
  }

  get state(): ClockState {
    const system = Date.now()
    const now = this.#at(system)
    const frozen = this.#settings.frozenAt !== undefined
    return { now: new Date(now).toISOString(), offset: now - system, frozen }
  }

  now(): number {
    return this.#at(Date.now())
  }

  #at(system: number): number {
    const { frozenAt, offset } = this.#settings
    return frozenAt ?? Math.min(system + offset, LAST_TIME)
  }

  /**
   * Sets the time, in ms since the epoch. A frozen clock stays frozen.
   * @param isRewound whether jobs follow it to before they were loaded, from then on
   */
  set(time: number, isRewound: boolean): void {
    const { frozenAt, offset } = this.#settings
    this.settings =
      frozenAt === undefined
        ? { offset: time - Date.now(), isRewound }
        : { offset, frozenAt: time, isRewound }
  }

  freeze(frozen: boolean): void {
    const now = this.now()
    this.#settings = { ...this.#settings, frozenAt: frozen ? now : undefined }
    this.set(now, this.isRewound)
  }

  /** Whether it has the time of the system. */
  get isSystem(): boolean {
    const { frozenAt, offset, isRewound } = this.#settings
    return frozenAt === undefined && offset === 0 && !isRewound
  }

  reset(): void {
    if (!this.isSystem) this.settings = SYSTEM
  }
}
