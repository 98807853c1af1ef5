import { writeFile } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { parseArgs } from 'node:util'

import { Type } from '@sinclair/typebox'
import type { Static, TObject, TSchema } from '@sinclair/typebox'
import { Create } from '@sinclair/typebox/value'

import { asError, describeClosest, escapeControls } from '@materials-mock/json'
import { DeploymentUnusable, OptionsInvalid } from '../errors.js'
import { TextOption, checkOption } from '../options.js'

export type Environment = Readonly<Record<string, string | undefined>>

export const OutFile = TextOption('FILE', 'file to write (default: standard output)')

export const Seed = (description: string) =>
  Type.Integer({ minimum: 0, maximum: 2 ** 32 - 1, default: 1, title: 'S', description })

/**
 * Tries the file before the work, which may take minutes.
 * @throws OptionsInvalid if it can't be written
 */
export async function openReport(
  out: string | undefined,
): Promise<(text: string) => Promise<void>> {
  if (out === undefined) return async (text) => writeOutput([text])
  const write = async (text: string, flag: 'a' | 'w'): Promise<void> =>
    writeFile(out, text, { flag }).catch(({ message }: Error) => {
      throw new OptionsInvalid(`give another --out; the report can't be written: ${message}`)
    })
  await write('', 'a')
  return (text) => write(text, 'w')
}

export const print = (text: string): void => console.log(escapeControls(text))

export const printMessage = (message: string): void =>
  console.error(escapeControls(`materials-mock: ${message}`))

/**
 * A reader such as `head` may close it, which is no error.
 * @throws OptionsInvalid for any other
 */
export const writeOutput = async (chunks: Iterable<string>): Promise<void> =>
  pipeline(Readable.from(chunks), process.stdout, { end: false }).catch(
    ({ code, message }: NodeJS.ErrnoException) => {
      if (code === 'EPIPE') return
      throw new OptionsInvalid(`give another place for the output; it can't be written: ${message}`)
    },
  )

/** A command: its text in `--help`, the parsing of its options, and its action. */
export interface Command<Options = unknown> {
  /** The arguments after its name: `URL --out DIR [options]`. */
  readonly usage: string
  readonly summary: string
  readonly schema: TObject
  /** The flags that `--help` describes (default: all). */
  readonly described?: TObject
  /** The names of its positional arguments, in their order. They are among the flags. */
  readonly operands?: readonly string[]
  /** Whether the words after `--` are a command that it runs. */
  readonly takesCommand?: boolean
  /** The exit code if the command can't be run (default: 1). */
  readonly unusableCode?: number
  /** @throws OptionsInvalid */
  readonly parse: (
    flags: Flags,
    environment: Environment,
    command: readonly string[] | undefined,
  ) => Options
  /** Runs the command. Returns whether it has succeeded. All errors of the catalogue are expected. */
  run(options: Options, environment?: Environment): Promise<boolean>
}

/**
 * A flag takes precedence over an environment variable.
 * @throws OptionsInvalid
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

/** As `parseValues` does, with the defaults. */
export const parseOptions = <Schema extends TObject>(
  schema: Schema,
  ...given: [flags: Flags, environment?: Environment, hasVariable?: (name: string) => boolean]
): Static<Schema> => Object.assign(Create(schema), parseValues(schema, ...given))

export type Flags = Readonly<Record<string, string | boolean | undefined>>

interface FlagConfig {
  readonly type: 'string' | 'boolean'
  readonly short?: string
}

const SWITCH: FlagConfig = { type: 'boolean' }

/**
 * A boolean option that is on by default has the flag `--no-…`; a comma joins values of a
 * `repeatable` one.
 * @param operands names of positional arguments in order, whose values the result has, too
 * @throws OptionsInvalid for an unknown argument, and a flag given twice or without its value
 */
export function parseFlags(
  argv: readonly string[],
  { properties }: TObject,
  operands: readonly string[] = [],
): Flags {
  const known: Record<string, FlagConfig> = {
    help: { ...SWITCH, short: 'h' },
    version: { ...SWITCH, short: 'v' },
  }
  const repeatable = new Set<string>()
  for (const [name, { type, default: value, ...keywords }] of Object.entries(properties)) {
    const { short, repeatable: isRepeatable } = keywords
    if (isRepeatable === true) repeatable.add(toFlag(name))
    known[toFlag(name)] = {
      type: type === 'boolean' ? 'boolean' : 'string',
      ...(short !== undefined && { short }),
    }
    if (type === 'boolean' && value !== false) known[`no-${toFlag(name)}`] = SWITCH
  }
  try {
    const allowPositionals = operands.length > 0
    const { tokens } = parseArgs({
      args: [...argv],
      options: known,
      tokens: true,
      allowPositionals,
    })
    const flags: Record<string, string | boolean> = {}
    const names = [...operands]
    for (const token of tokens) {
      if (token.kind === 'positional') flags[takeOperand(names, token.value)] = token.value
      if (token.kind !== 'option') continue
      const flag = token.name.replace(/^no-/, '')
      const earlier = flags[flag]
      if (earlier !== undefined && !repeatable.has(flag))
        throw new Error(`--${flag} is given twice`)
      const value = token.value ?? flag === token.name
      flags[flag] = earlier === undefined ? value : `${earlier},${value}`
    }
    return flags
  } catch (error) {
    const [sentence = ''] = asError(error).message.split(/\.\s/)
    const closest = describeClosestFlag(sentence, Object.keys(known))
    const problem = sentence.replace(/argument is ambiguous$/, AMBIGUOUS)
    throw new OptionsInvalid(`${problem}${closest}; --help lists the options`)
  }
}

/** What Node calls an ambiguous argument: another option is in the place of the value. */
const AMBIGUOUS =
  'argument is missing: another option follows. A value that starts with - is given as --option=-value'

function describeClosestFlag(message: string, known: readonly string[]): string {
  const [, unknown] = /^Unknown option '(--[^']+)'/.exec(message) ?? []
  return unknown === undefined
    ? ''
    : describeClosest(
        unknown,
        known.map((flag) => `--${flag}`),
      )
}

function takeOperand(names: string[], value: string): string {
  const name = names.shift()
  if (name === undefined) throw new Error(`Unexpected argument '${value}'`)
  return name
}

const parseValue = (source: string, text: string | boolean, schema: TSchema): unknown =>
  checkOption(source, typeof text === 'string' ? convertText(text, schema) : text, schema)

/** Returns the flag of an option, without the dashes: `query-budget` for `queryBudget`. */
export const toFlag = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

export const VARIABLE_PREFIX = 'MATERIALS_MOCK_'

/** Returns the environment variable of an option: `MATERIALS_MOCK_PORT`. */
export const toVariable = (name: string): string =>
  VARIABLE_PREFIX + toFlag(name).replaceAll('-', '_').toUpperCase()

/** Converts text to the schema's type. Text that can't be converted stays text, and is then invalid. */
function convertText(text: string, { type }: TSchema): unknown {
  if (type === 'boolean') return text === 'true' ? true : text === 'false' ? false : text
  const isNumeric = type === 'integer' || type === 'number'
  return isNumeric && /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text
}

/** Runs work that a first signal ends in order. A second signal ends the process at once. */
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
