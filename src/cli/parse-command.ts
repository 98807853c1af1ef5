import type { TSchema } from '@sinclair/typebox'
import { Create } from '@sinclair/typebox/value'

import { OptionsInvalid } from '../errors.js'
import { describeClosest } from '../json/describe-closest.js'
import { quote } from '../json/quote.js'
import { CheckOptions } from './check/check-options.js'
import { DiffOptions } from './diff/diff-options.js'
import { VARIABLE_PREFIX, parseFlags, parseValue, toFlag, toVariable } from './flags.js'
import { GenerateOptions } from './generate-options.js'
import { RecordOptions } from './record/record-options.js'
import { parseRemoteOptions } from './remote/parse-remote-options.js'
import { REMOTE_OPTIONS } from './remote/remote-options.js'
import { ServeOptions } from './serve-options.js'

/** A parsed command line. */
export type Command =
  | { readonly kind: 'serve'; readonly options: Partial<ServeOptions> }
  | { readonly kind: 'generate'; readonly options: GenerateOptions }
  | { readonly kind: 'check'; readonly options: CheckOptions }
  | { readonly kind: 'record'; readonly options: RecordOptions }
  | { readonly kind: 'diff'; readonly options: DiffOptions }
  | { readonly kind: 'help' }
  | { readonly kind: 'version' }

/**
 * Parses flags and environment variables. A flag wins over a variable.
 * @throws OptionsInvalid for an unknown flag or variable, and for a wrong value
 */
export function parseCommand(
  argv: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): Command {
  if (argv[0] === 'generate') return parseGenerate(argv.slice(1))
  if (argv[0] === 'check') return parseCheck(argv.slice(1), environment)
  if (argv[0] === 'record') return parseRecord(argv.slice(1), environment)
  if (argv[0] === 'diff') return parseDiff(argv.slice(1), environment)
  const flags = parseFlags(argv, ServeOptions, ['PATH'])
  if (flags.help === true || flags.PATH === 'help') return { kind: 'help' }
  if (flags.version === true || flags.PATH === 'version') return { kind: 'version' }
  if (flags.PATH !== undefined) {
    throw new OptionsInvalid(
      `use --fixtures ${flags.PATH} to serve a folder or a file of fixtures; the commands are generate, check, record and diff, not ${quote(flags.PATH)}`,
    )
  }
  checkVariables(environment)
  const options: Record<string, unknown> = {}
  for (const [name, schema] of Object.entries(ServeOptions.properties)) {
    const [flag, variable] = [toFlag(name), toVariable(name)]
    if (flags[flag] !== undefined) options[name] = parseValue(`--${flag}`, flags[flag], schema)
    else if (environment[variable] !== undefined)
      options[name] = parseValue(variable, environment[variable], schema)
  }
  return { kind: 'serve', options }
}

function parseGenerate(argv: readonly string[]): Command {
  const flags = parseFlags(argv, GenerateOptions)
  if (flags.help === true) return { kind: 'help' }
  if (flags.version === true) return { kind: 'version' }
  if (flags.count === undefined) {
    throw new OptionsInvalid(
      'give a number of materials; --count is missing: generate --count 1000',
    )
  }
  const given = Object.entries<TSchema>(GenerateOptions.properties).flatMap(([name, schema]) => {
    const value = flags[toFlag(name)]
    return value === undefined ? [] : [[name, parseValue(`--${toFlag(name)}`, value, schema)]]
  })
  const options = { ...Create(GenerateOptions), ...Object.fromEntries(given) }
  return { kind: 'generate', options: options as GenerateOptions }
}

function parseCheck(
  argv: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): Command {
  const flags = parseFlags(argv, CheckOptions, ['URL'])
  if (flags.help === true) return { kind: 'help' }
  if (flags.version === true) return { kind: 'version' }
  const options = parseRemoteOptions(flags, environment, CheckOptions)
  return { kind: 'check', options: options as CheckOptions }
}

function parseRecord(
  argv: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): Command {
  const flags = parseFlags(argv, RecordOptions, ['URL'])
  if (flags.help === true) return { kind: 'help' }
  if (flags.version === true) return { kind: 'version' }
  const options = parseRemoteOptions(flags, environment, RecordOptions) as RecordOptions
  if (options.out === undefined) {
    throw new OptionsInvalid(
      'give a folder to write to; --out is missing: record URL --out recorded',
    )
  }
  return { kind: 'record', options }
}

function parseDiff(
  argv: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): Command {
  const flags = parseFlags(argv, DiffOptions, ['DIR', 'URL'])
  if (flags.help === true) return { kind: 'help' }
  if (flags.version === true) return { kind: 'version' }
  if (flags.DIR === undefined)
    throw new OptionsInvalid('give the folder of a recording; DIR is missing: diff recorded URL')
  const options = parseRemoteOptions(flags, environment, DiffOptions)
  return { kind: 'diff', options: { ...options, directory: String(flags.DIR) } }
}

function checkVariables(environment: Readonly<Record<string, string | undefined>>): void {
  const names = [...Object.keys(ServeOptions.properties), ...Object.keys(REMOTE_OPTIONS)]
  const known = new Set(names.map(toVariable))
  for (const name of Object.keys(environment)) {
    if (name.startsWith(VARIABLE_PREFIX) && !known.has(name)) {
      throw new OptionsInvalid(
        `see --help for the options; the variable ${name} is none${describeClosest(name, known)}`,
      )
    }
  }
}
