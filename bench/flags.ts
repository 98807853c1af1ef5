import { parseArgs } from 'node:util'

/** How much is measured. */
export interface Extent {
  /** The numbers of items, one run for each. */
  readonly sizes: readonly number[]
  /** How often each server takes its turn at each kind of work. */
  readonly rounds: number
  /** How long a turn takes, about. */
  readonly seconds: number
  /** How often each server is started where the start is measured. */
  readonly starts: number
}

/**
 * Reads `--items 1000,100000`, `--rounds`, `--seconds`, `--starts` and `--quick`, which makes all of
 * them small.
 * @throws TypeError for an unknown flag, RangeError for a number that is none or not above 0
 */
export function parseExtent(argv: readonly string[]): Extent {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      items: { type: 'string' },
      rounds: { type: 'string' },
      seconds: { type: 'string' },
      starts: { type: 'string' },
      quick: { type: 'boolean', default: false },
    },
  })
  const usual = values.quick ? QUICK : FULL
  return {
    sizes: values.items?.split(',').map((text) => positive('items', text)) ?? usual.sizes,
    rounds: values.rounds === undefined ? usual.rounds : positive('rounds', values.rounds),
    seconds: values.seconds === undefined ? usual.seconds : positive('seconds', values.seconds),
    starts: values.starts === undefined ? usual.starts : positive('starts', values.starts),
  }
}

const FULL: Extent = { sizes: [1000, 100_000], rounds: 5, seconds: 2, starts: 10 }
const QUICK: Extent = { sizes: [1000], rounds: 1, seconds: 0.1, starts: 1 }

function positive(flag: string, text: string): number {
  const value = Number(text)
  if (value > 0) return value
  throw new RangeError(`--${flag} must be a number above 0, not ${JSON.stringify(text)}`)
}
