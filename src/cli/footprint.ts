import { Type } from '@sinclair/typebox'

import { escapeControls, quote } from '@materials-mock/json'
import { OptionsInvalid } from '../errors.js'
import { connectMock } from '../mock/connect-mock.js'
import { writeOutput } from './command.js'
import type { Command } from './command.js'

export const footprint: Command<{ readonly url: string }> = {
  usage: 'URL',
  summary: [
    'footprint writes what clients have relied on. URL is that of a mock, such as',
    'http://127.0.0.1:4000, or of one of its sandboxes:',
  ].join('\n'),
  schema: Type.Object({}),
  operands: ['URL'],
  parse: ({ URL: url }) => ({ url: parseUrl(url) }),
  run: printFootprint,
}

function parseUrl(given: unknown): string {
  if (given === undefined)
    throw new OptionsInvalid('give a mock; URL is missing: footprint http://127.0.0.1:4000')
  const url = String(given).replace(/(?<!\/)\/+$/, '')
  if (URL.canParse(url) && /^https?:\/\/[^?#]+$/.test(url)) return url
  throw new OptionsInvalid(
    `URL must be that of a mock such as http://127.0.0.1:4000, not ${quote(given)}`,
  )
}

/** @throws DeploymentUnusable if there is no mock */
async function printFootprint({ url }: { readonly url: string }): Promise<boolean> {
  const mock = await connectMock(url)
  await writeOutput([escapeControls(`${JSON.stringify(await mock.footprint(), null, 2)}\n`)])
  return true
}
