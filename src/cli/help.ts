import type { TObject } from '@sinclair/typebox'

import { flagOf } from './flags.js'
import { Options } from '../options.js'
import { VARIABLE_PREFIX } from './parse-command.js'
import { GenerateOptions } from './generate-options.js'

/** The text of `--help`: a line an option. */
export function helpText(): string {
  return [
    'Usage: materials-mock [options]',
    '       materials-mock generate --count N [options]',
    '',
    "Answers a materials platform's REST API (2018-10-01) from fixtures in memory.",
    '',
    ...helpLines(Options),
    `  --help`.padEnd(32) + 'print this',
    `  --version`.padEnd(32) + 'print the version',
    '',
    `Each option may also be an environment variable: --query-budget is ${VARIABLE_PREFIX}QUERY_BUDGET.`,
    '',
    'generate makes materials for fixtures of any size:',
    '',
    ...helpLines(GenerateOptions),
  ].join('\n')
}

const helpLines = ({ properties }: TObject): string[] =>
  Object.entries(properties).map(([name, { title, description, default: value }]) => {
    const usual = value === undefined || value === false ? '' : ` (default: ${value})`
    const flag = title === undefined ? flagOf(name) : `${flagOf(name)} ${title}`
    return `  --${flag}`.padEnd(32) + `${description}${usual}`
  })
