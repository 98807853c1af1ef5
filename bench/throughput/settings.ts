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
  /** Whether the waits beside costly work are measured, and nothing else. */
  readonly fairness: boolean
  /** The kinds of costly work that are measured: those whose name contains one of these texts. */
  readonly work: readonly string[]
}

/**
 * Parses `--items 1000,100000`, `--rounds`, `--seconds`, `--starts`, `--no-peers`,
 * `--fairness` with `--work`, and `--quick`, which makes the default of each number small.
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
      fairness: { type: 'boolean', default: false },
      work: { type: 'string', default: '' },
    },
  })
  const defaults = values.quick ? QUICK : values.fairness ? FAIRNESS : FULL
  return {
    sizes: values.items?.split(',').map((text) => parsePositive('items', text)) ?? defaults.sizes,
    rounds: parseOptional('rounds', values.rounds) ?? defaults.rounds,
    seconds: parseOptional('seconds', values.seconds) ?? defaults.seconds,
    starts: parseOptional('starts', values.starts) ?? defaults.starts,
    peers: !values['no-peers'],
    fairness: values.fairness,
    work: values.work.split(';'),
  }
}

type Numbers = Pick<Settings, 'sizes' | 'rounds' | 'seconds' | 'starts'>

const FULL: Numbers = { sizes: [1000, 100_000], rounds: 5, seconds: 2, starts: 10 }
const FAIRNESS: Numbers = { ...FULL, sizes: [100_000], seconds: 4 }
const QUICK: Numbers = { sizes: [1000], rounds: 1, seconds: 0.1, starts: 1 }

const parseOptional = (flag: string, text: string | undefined): number | undefined =>
  text === undefined ? undefined : parsePositive(flag, text)

function parsePositive(flag: string, text: string): number {
  const value = Number(text)
  if (value > 0) return value
  throw new RangeError(`--${flag} must be a number above 0, not ${JSON.stringify(text)}`)
}
