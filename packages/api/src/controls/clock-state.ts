/** The state of a clock, as the controls return it. */
export interface ClockState {
  /** ISO 8601, in UTC. */
  readonly now: string
  /** The offset to the system's clock, in ms. */
  readonly offset: number
  readonly frozen: boolean
}
