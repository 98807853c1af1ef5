import { parseArgs } from 'node:util'

/** The settings of the benchmark. */
export interface Settings {
  /** The numbers of items. Each has its own measurements. */
  readonly sizes: readonly number[]
  /** The number of turns of each server for each workload. */
  readonly rounds: number
  /** The approximate duration of a turn. */
  readonly seconds: number
  /** The number of starts of each server whose start is measured. */
  readonly starts: number
  /** Whether json-server and Feathers are measured: at 100,000 items they take most of the time. */
  readonly peers: boolean
}

/**
 * Parses `--items 1000,100000`, `--rounds`, `--seconds`, `--starts`, `--no-peers`, and `--quick`,
 * which makes the default of each number small.
 * @throws TypeError for an unknown flag
 * @throws RangeError for a value that is not a number above 0
 */
export function parseSettings(args: readonly string[]): Settings {
  const { values } = parseArgs({
    args: [...args],
    options: {
      items: { type: 'string' },
      rounds: { type: 'string' },
      seconds: { type: 'string' },
      starts: { type: 'string' },
      quick: { type: 'boolean', default: false },
      'no-peers': { type: 'boolean', default: false },
    },
  })
  const defaults = values.quick ? QUICK : FULL
  return {
    sizes: values.items?.split(',').map((text) => parsePositive('items', text)) ?? defaults.sizes,
    rounds: parseOptional('rounds', values.rounds) ?? defaults.rounds,
    seconds: parseOptional('seconds', values.seconds) ?? defaults.seconds,
    starts: parseOptional('starts', values.starts) ?? defaults.starts,
    peers: !values['no-peers'],
  }
}

const FULL: Settings = { sizes: [1000, 100_000], rounds: 5, seconds: 2, starts: 10, peers: true }
const QUICK: Settings = { sizes: [1000], rounds: 1, seconds: 0.1, starts: 1, peers: true }

const parseOptional = (flag: string, text: string | undefined): number | undefined =>
  text === undefined ? undefined : parsePositive(flag, text)

function parsePositive(flag: string, text: string): number {
  const value = Number(text)
  if (value > 0) return value
  throw new RangeError(`--${flag} must be a number above 0, not ${JSON.stringify(text)}`)
}
