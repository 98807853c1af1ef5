import { parseArgs } from 'node:util'

/** The settings of a soak. */
export interface SoakSettings {
  readonly minutes: number
  /** The number of clients. Each sends one request after another. */
  readonly clients: number
  /** The same seed gives each client the same sequence of random numbers. */
  readonly seed: number
  /** Whether to kill a server with `--state` again and again, instead of looking for growth. */
  readonly state: boolean
}

/**
 * Parses `--minutes` (default: 10), `--clients` (default: 8), `--seed` (default: from the clock) and
 * `--state`.
 * @throws TypeError for an unknown flag
 * @throws RangeError for a value that is not a number above 0; clients and seed must be integers
 */
export function parseSoakSettings(args: readonly string[]): SoakSettings {
  const { values } = parseArgs({
    args: [...args],
    options: {
      minutes: { type: 'string', default: '10' },
      clients: { type: 'string', default: '8' },
      seed: { type: 'string', default: String((Date.now() % 1_000_000) + 1) },
      state: { type: 'boolean', default: false },
    },
  })
  return {
    minutes: parseNumber('minutes', values.minutes, (value) => Number.isFinite(value), 'a number'),
    clients: parseNumber('clients', values.clients, Number.isInteger, 'an integer'),
    seed: parseNumber('seed', values.seed, Number.isInteger, 'an integer'),
    state: values.state,
  }
}

function parseNumber(
  flag: string,
  text: string,
  isAllowed: (value: number) => boolean,
  expected: string,
): number {
  const value = Number(text)
  if (value > 0 && isAllowed(value)) return value
  throw new RangeError(`--${flag} must be ${expected} above 0, not ${JSON.stringify(text)}`)
}
