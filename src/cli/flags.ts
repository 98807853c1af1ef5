import { parseArgs } from 'node:util'

import type { TObject, TSchema } from '@sinclair/typebox'

import { OptionsInvalid } from '../errors.js'
import { checkOption } from '../options.js'

/** The flags that were given, by their names without the dashes. */
export type Flags = Readonly<Record<string, string | boolean | undefined>>

/**
 * Reads the flags of a schema's options, and `--help` and `--version`. What is not off by default
 * has a flag with `no-` too, which turns it off.
 * @throws OptionsInvalid for what is unknown, given twice or without its value
 */
export function parseFlags(argv: readonly string[], { properties }: TObject): Flags {
  const known: Record<string, { type: 'string' | 'boolean' }> = { help: SWITCH, version: SWITCH }
  for (const [name, { type, default: value }] of Object.entries(properties)) {
    known[flagOf(name)] = type === 'boolean' ? SWITCH : { type: 'string' }
    if (type === 'boolean' && value !== false) known[`no-${flagOf(name)}`] = SWITCH
  }
  try {
    const { tokens } = parseArgs({ args: [...argv], options: known, tokens: true })
    const given: Record<string, string | boolean> = {}
    for (const token of tokens) {
      if (token.kind !== 'option') continue
      const flag = token.name.replace(/^no-/, '')
      if (given[flag] !== undefined) throw new Error(`--${flag} is given twice`)
      given[flag] = token.value ?? flag === token.name
    }
    return given
  } catch (error) {
    throw new OptionsInvalid(`${(error as Error).message.split('. ')[0]}; --help lists the options`)
  }
}

const SWITCH = { type: 'boolean' } as const

/**
 * The value that a flag or a variable stands for.
 * @param source what a message calls it
 * @throws OptionsInvalid
 */
export function parseValue(source: string, text: string | boolean, schema: TSchema): unknown {
  return checkOption(source, typeof text === 'string' ? fromText(text, schema) : text, schema)
}

/** The flag of an option, without the dashes: `query-budget` of `queryBudget`. */
export const flagOf = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

/** The value that a text stands for; a text that stands for none is left for the check to refuse. */
function fromText(text: string, { type }: TSchema): unknown {
  if (type === 'boolean') return text === 'true' ? true : text === 'false' ? false : text
  const isNumeric = type === 'integer' || type === 'number'
  return isNumeric && /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text
}
