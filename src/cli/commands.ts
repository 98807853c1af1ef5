import type { TObject } from '@sinclair/typebox'

import { describeClosest, quote } from '@materials-mock/json'
import { RUN_VARIABLES } from '../controls/mutation/mutation.js'
import { OptionsInvalid } from '../errors.js'
import { check } from './check.js'
import { VARIABLE_PREFIX, parseFlags, toFlag, toVariable } from './command.js'
import type { Command, Environment } from './command.js'
import { footprint } from './footprint.js'
import { generate } from './generate.js'
import { init } from './init.js'
import { mutate } from './mutate.js'
import { record } from './record.js'
import { REMOTE_OPTIONS } from './remote/options.js'
import { ServeOptions, serve } from './serve.js'
import { site } from './site.js'

export const COMMANDS: Readonly<Record<string, Command>> = {
  serve,
  init,
  generate,
  check,
  record,
  footprint,
  mutate,
  site,
}

/** A parsed command line: a text to print, or a command with its options. */
export interface ParsedCommand {
  /** `help`, `version`, or the name of a command. */
  readonly kind: string
  readonly options?: unknown
}

/**
 * A flag takes precedence over a variable.
 * @throws OptionsInvalid
 */
export function parseCommand(argv: readonly string[], environment: Environment): ParsedCommand {
  const [first = '', second = ''] = argv
  if (first === 'help' && Object.hasOwn(COMMANDS, second)) return { kind: 'help', options: second }
  const kind = findCommandName(first)
  const { schema, operands = [], takesCommand = false, parse } = COMMANDS[kind]!
  const isNamed = kind === first && kind !== 'serve'
  const end = takesCommand ? argv.indexOf('--') : -1
  const [words, command] = end === -1 ? [argv] : [argv.slice(0, end), argv.slice(end + 1)]
  // The command without a name takes no arguments, so a word may be a misspelt command.
  const flags = parseFlags(isNamed ? words.slice(1) : words, schema, isNamed ? operands : ['PATH'])
  if (flags.help === true || flags.PATH === 'help') return { kind: 'help', options: kind }
  if (flags.version === true || flags.PATH === 'version') return { kind: 'version' }
  if (flags.PATH !== undefined) {
    throw new OptionsInvalid(
      `use --fixtures ${flags.PATH} to serve a folder or a file of fixtures; the commands are ${listNames()}, not ${quote(flags.PATH)}`,
    )
  }
  if (!isNamed) checkVariables(environment)
  return { kind, options: parse(flags, environment, command) }
}

export const findCommandName = (first: string): string =>
  Object.hasOwn(COMMANDS, first) ? first : 'serve'

function listNames(): string {
  const names = Object.keys(COMMANDS).filter((name) => name !== 'serve')
  return `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
}

function checkVariables(environment: Environment): void {
  const names = [...Object.keys(ServeOptions.properties), ...Object.keys(REMOTE_OPTIONS)]
  const known = new Set([...names.map(toVariable), ...Object.values(RUN_VARIABLES)])
  for (const name of Object.keys(environment)) {
    if (name.startsWith(VARIABLE_PREFIX) && !known.has(name)) {
      throw new OptionsInvalid(
        `the variable ${name} is not an option${describeClosest(name, known)}; --help lists the options`,
      )
    }
  }
}

/** The number of characters before the description of a flag. */
const COLUMN = 40

const MAIN_NOTES = [
  '',
  `Each option may also be an environment variable: --query-budget is ${VARIABLE_PREFIX}QUERY_BUDGET.`,
  'The name of a command and --help print the options of that command alone.',
]

const REQUEST_NOTES = [
  '',
  'Requests to deployments go through the proxy of HTTP_PROXY or HTTPS_PROXY, except to hosts of NO_PROXY.',
  "NODE_EXTRA_CA_CERTS names the file of the certificate of an authority that Node doesn't know.",
]

/** One line for each option. That of the command without a name has all commands. */
export function helpText(name = 'serve'): string {
  const { schema, described = schema, summary, usage } = COMMANDS[name]!
  const isMain = name === 'serve'
  const others = isMain ? Object.entries(COMMANDS).filter(([other]) => other !== name) : []
  const sections = others.flatMap(([, command]) => {
    const flags = describeFlags(command.described ?? command.schema)
    return ['', command.summary, ...(flags.length === 0 ? [] : ['', ...flags])]
  })
  return [
    `Usage: materials-mock ${isMain ? '' : `${name} `}${usage}`,
    ...others.map(([other, command]) => `       materials-mock ${other} ${command.usage}`),
    '',
    summary,
    '',
    ...describeFlags(described),
    '  -h, --help'.padEnd(COLUMN) + 'print this',
    '  -v, --version'.padEnd(COLUMN) + 'print the version',
    ...(isMain ? MAIN_NOTES : []),
    ...(isMain || usage.includes('URL') ? REQUEST_NOTES : []),
    ...sections,
  ].join('\n')
}

const describeFlags = ({ properties }: TObject): string[] =>
  Object.entries(properties).map(([name, { title, short, description, default: value }]) => {
    const defaultText = value === undefined || value === false ? '' : ` (default: ${value})`
    const flag = title === undefined ? toFlag(name) : `${toFlag(name)} ${title}`
    const letter = short === undefined ? '' : `-${short}, `
    return `  ${letter}--${flag}`.padEnd(COLUMN) + `${description}${defaultText}`
  })
