import type { TObject, TSchema } from '@sinclair/typebox'

import { DeploymentUnusable } from '../errors.js'
import { parseValue, toFlag, toVariable } from './flags.js'
import type { Flags } from './flags.js'

/** Environment variables by their names. */
export type Environment = Readonly<Record<string, string | undefined>>

/** A command: what `--help` says of it, how its options are parsed, and what it does. */
export interface Command<Options = unknown> {
  /** What is written after its name: `URL --out DIR [options]`. */
  readonly usage: string
  /** What it does, as `--help` says it before the flags. */
  readonly summary: string
  /** Its flags, as the properties of a schema. */
  readonly schema: TObject
  /** Its flags that `--help` describes (default: all). */
  readonly described?: TObject
  /** The names of its arguments that are no flags, in their order. They are among the flags. */
  readonly operands?: readonly string[]
  /** The exit code if it can't be run (default: 1). */
  readonly unusableCode?: number
  /** @throws OptionsInvalid */
  readonly parse: (flags: Flags, environment: Environment) => Options
  /** Runs it. Returns whether it has succeeded. All errors of the catalogue are expected. */
  run(options: Options, environment?: Environment): Promise<boolean>
}

/**
 * Parses the values of flags and, for some options, of environment variables. A flag wins.
 * @param hasVariable tells whether an option has a variable
 * @throws OptionsInvalid for a value that the schema does not allow
 */
export function parseValues(
  schema: TObject,
  flags: Flags,
  environment: Environment = {},
  hasVariable: (name: string) => boolean = () => false,
): Record<string, unknown> {
  const values: Record<string, unknown> = {}
  for (const [name, property] of Object.entries<TSchema>(schema.properties)) {
    const [flag, variable] = [flags[toFlag(name)], environment[toVariable(name)]]
    if (flag !== undefined) values[name] = parseValue(`--${toFlag(name)}`, flag, property)
    else if (variable !== undefined && hasVariable(name))
      values[name] = parseValue(toVariable(name), variable, property)
  }
  return values
}

/** Runs work that ends in order when the process is asked to end. A second signal ends it at once. */
export async function untilSignal<Result>(
  run: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const controller = new AbortController()
  const abort = (): void => controller.abort(new DeploymentUnusable('interrupted'))
  process.once('SIGINT', abort).once('SIGTERM', abort)
  try {
    return await run(controller.signal)
  } finally {
    process.off('SIGINT', abort).off('SIGTERM', abort)
  }
}
