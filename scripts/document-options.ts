import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

import type { TObject, TSchema } from '@sinclair/typebox'
import { format, resolveConfig } from 'prettier'

import { toFlag } from '../src/cli/command.js'
import type { Command } from '../src/cli/command.js'
import { COMMANDS } from '../src/cli/commands.js'

const PAGE = fileURLToPath(new URL('../docs/options.md', import.meta.url))

/**
 * Returns docs/options.md with its tables made anew from the same schemas as `--help`.
 * @param page the text of the page, which has `<!-- options of serve -->` before a table, or `<!-- own
 * options of mutate -->` before one without the options of the server
 */
export async function documentOptions(page: string): Promise<string> {
  const text = page.replace(
    /(<!-- (own )?options of (\w+) -->\n)(?:\n\|[^]*?\n(?=\n|$))?/g,
    (_match, marker: string, own: string | undefined, name: string) => {
      const command = COMMANDS[name] as Command
      const { properties } = own === undefined ? command.schema : (command.described as TObject)
      const rows = Object.entries(properties).map(describeOption)
      return `${marker}\n| Option | Default | |\n| --- | --- | --- |\n${rows.join('\n')}\n`
    },
  )
  return format(text, { ...(await resolveConfig(PAGE)), parser: 'markdown' })
}

/** Returns an option as the row of a table: the flag, the default, the description and the range. */
function describeOption([name, schema]: [string, TSchema]): string {
  const { title, short, minimum, maximum, default: value } = schema
  const [, description = '', inText = ''] =
    /^(.*?)(?: \(default: (.*)\))?$/.exec(schema.description ?? '') ?? []
  const flag = `--${toFlag(name)}${title === undefined ? '' : ` ${title}`}`
  const range = minimum === undefined ? '' : ` (${minimum} to ${maximum})`
  const cells = [
    `\`${short === undefined ? '' : `-${short}, `}${flag}\``,
    value === false ? 'off' : String(value ?? inText),
    `${description.replace(/(\/\w+|--[a-z-]+)/g, '`$1`')}${range}`,
  ]
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  writeFileSync(PAGE, await documentOptions(readFileSync(PAGE, 'utf8')))
