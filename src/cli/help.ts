import type { TObject } from '@sinclair/typebox'

import { CheckOptions } from './check/check-options.js'
import { VARIABLE_PREFIX, toFlag } from './flags.js'
import { GenerateOptions } from './generate-options.js'
import { RecordOptions } from './record/record-options.js'
import { ServeOptions } from './serve-options.js'

/** The number of characters before the description of a flag. */
const COLUMN = 32

/** Returns the text of `--help`, with one line for each option. */
export const helpText = (): string =>
  [
    'Usage: materials-mock [options]',
    '       materials-mock generate --count N [options]',
    '       materials-mock check URL [options]',
    '       materials-mock record URL --out DIR [options]',
    '       materials-mock diff DIR URL [options]',
    '',
    "Serves a materials platform's REST API (2018-10-01) from fixtures in memory.",
    '',
    ...describeOptions(ServeOptions),
    '  -h, --help'.padEnd(COLUMN) + 'print this',
    '  -v, --version'.padEnd(COLUMN) + 'print the version',
    '',
    `Each option may also be an environment variable: --query-budget is ${VARIABLE_PREFIX}QUERY_BUDGET.`,
    '',
    'generate writes materials for fixtures of any size:',
    '',
    ...describeOptions(GenerateOptions),
    '',
    'check tells whether a deployment answers as its documentation says. URL is the versioned',
    'root, such as https://host/api/2018-10-01:',
    '',
    ...describeOptions(CheckOptions),
    '',
    'record writes what an account sees at a deployment as a folder of fixtures:',
    '',
    ...describeOptions(RecordOptions),
    '',
    'diff lists what has changed there since; it takes the same credentials, and --resource.',
  ].join('\n')

const describeOptions = ({ properties }: TObject): string[] =>
  Object.entries(properties).map(([name, { title, short, description, default: value }]) => {
    const defaultText = value === undefined || value === false ? '' : ` (default: ${value})`
    const flag = title === undefined ? toFlag(name) : `${toFlag(name)} ${title}`
    const letter = short === undefined ? '' : `-${short}, `
    return `  ${letter}--${flag}`.padEnd(COLUMN) + `${description}${defaultText}`
  })
