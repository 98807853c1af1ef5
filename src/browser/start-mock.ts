import type { FastifyInstance } from 'fastify'

import { MOYO_FILE } from '@materials-mock/structures'
import { files } from '@materials-mock/stand-ins'
import { asError } from '@materials-mock/json'
import { OptionsInvalid } from '../errors.js'
import { validateFixtures } from '../fixtures/validate-fixtures.js'
import type { InlineFixtures } from '../fixtures/validate-fixtures.js'
import { createMock } from '../mock/create-mock.js'
import type { Mock } from '../mock/members.js'
import { respond } from '../mock/respond.js'
import { checkIsOptions, completeOptions } from '../options.js'
import type { Options } from '../options.js'
import { compose } from '../server/compose.js'
import type { Surroundings } from '../server/compose.js'

/** The version of this package, which its bundler knows. */
declare const PACKAGE_VERSION: string

/** The options of a server that need a network, files or a terminal. */
export const WITHOUT = [
  'allowedHosts',
  'host',
  'logFormat',
  'logLevel',
  'port',
  'state',
  'tlsCert',
  'tlsKey',
  'upstream',
  'upstreamRecord',
  'watch',
] as const satisfies readonly (keyof Options)[]

/** The options of a mock in a browser: those of one in Node, without files and ports. */
export type BrowserMockOptions = Partial<Omit<Options, 'fixtures' | (typeof WITHOUT)[number]>> & {
  /** An array of items for each resource, and `accounts` and `scenarios`. */
  readonly fixtures: InlineFixtures
}

const ORIGIN = 'http://localhost:4000'

/** @param moyo the URL of spglib's library, which is fetched while the first mock starts */
export const createStartMock =
  (moyo: URL) =>
  (options: BrowserMockOptions): Promise<Mock> =>
    startMock(options, moyo)

/** @throws OptionsInvalid for an option that needs Node, FixturesInvalid */
export async function startMock(
  options: BrowserMockOptions,
  moyo: URL,
  parts: Pick<Surroundings, 'baseUrl' | 'state'> = {},
): Promise<Mock> {
  checkIsOptions(options)
  const { fixtures, ...rest } = options
  const given: Readonly<Record<string, unknown>> = rest
  const refused = WITHOUT.find((name) => given[name] !== undefined)
  if (refused !== undefined)
    throw new OptionsInvalid(`${refused} needs Node: a mock in a browser has no such option`)
  if (fixtures === undefined || typeof fixtures === 'string') {
    throw new OptionsInvalid(
      'fixtures must be an object with an array of items for each resource; the shipped ones are the default export of materials-mock/browser/fixtures',
    )
  }
  const library = (fetching ??= fetchMoyo(moyo))
  const app = await compose(
    completeOptions({ ...rest, logLevel: 'silent' }),
    await validateFixtures(fixtures),
    { version: PACKAGE_VERSION, ...parts },
  )
  await app.scenarios.check()
  const { baseUrl = ORIGIN } = parts
  return createMock(app, baseUrl, async (server: FastifyInstance, request: Request) => {
    if (request.method !== 'GET') await library // a write may compute the symmetry of a structure
    return respond(server, request)
  })
}

/** What fetches the file of spglib's library, once for all mocks. */
let fetching: Promise<void> | undefined

async function fetchMoyo(url: URL): Promise<void> {
  try {
    const response = await fetch(url)
    const type = response.headers.get('Content-Type') ?? ''
    // The server of a page may answer any path with the page.
    if (!response.ok || type.startsWith('text/html'))
      throw new Error(`status ${response.status} ${type}`)
    files.set(MOYO_FILE, new Uint8Array(await response.arrayBuffer()))
  } catch (error) {
    console.error(
      `materials-mock needs ${url.href} for the symmetry of structures: ${asError(error).message}; copy ${MOYO_FILE} from materials-mock/dist there`,
    )
  }
}
