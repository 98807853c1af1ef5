import { Type } from '@sinclair/typebox'

import { ApiClient } from '@materials-mock/check'
import { escapeControls, isJsonObject, quote } from '@materials-mock/json'
import { describeNetworkError, fetchThroughProxy } from '@materials-mock/network'
import { DeploymentUnusable, OptionsInvalid } from '../errors.js'
import { writeOutput } from './command.js'
import type { Command } from './command.js'

export const footprint: Command<{ readonly url: string }> = {
  usage: 'URL',
  summary: [
    'footprint writes what clients of a mock have used. URL is that of the mock, such as',
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

/** The time until a mock must have answered, in ms. */
const TIMEOUT = 9000

/** @throws DeploymentUnusable if there is no mock */
async function printFootprint({ url }: { readonly url: string }): Promise<boolean> {
  const { status, json } = await new ApiClient(url, {
    fetch: fetchThroughProxy,
    timeout: TIMEOUT,
  })
    .send({ path: '/__admin/footprint' })
    .catch((error: unknown) => {
      throw new DeploymentUnusable(`no answer from ${url}: ${describeNetworkError(error)}`)
    })
  const data = isJsonObject(json) && json.status === 'success' ? json.data : undefined
  if (status !== 200 || !isJsonObject(data) || !Array.isArray(data.uses))
    throw new DeploymentUnusable(`${url}/__admin/footprint answers ${status}; it must be a mock`)
  await writeOutput([escapeControls(`${JSON.stringify(data, null, 2)}\n`)])
  return true
}
