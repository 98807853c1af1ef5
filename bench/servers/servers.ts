import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

import { ACCOUNT } from '../workloads/data.js'
import type { Data } from '../workloads/data.js'
import { BASE, toOurPath } from '../workloads/our-path.js'
import { LIMIT, PATTERN } from '../workloads/workload.js'
import type { Read, Workload } from '../workloads/workload.js'
import type { ServerCommand } from './server-command.js'

/** A server that is measured. */
export interface ServerDefinition extends ServerCommand {
  /** Returns the path of a read; undefined if the server does not support the workload. */
  readonly toPath: (workload: Workload, read: Read) => string | undefined
  /** Whether the server does not ignore unknown parameters, but filters by them. */
  readonly filtersByAnyParameter: boolean
  /** Returns the items in the body of a response; undefined if all responses are constant. */
  readonly findItems: ((body: unknown) => readonly unknown[]) | undefined
}

/** The credentials in the generated fixtures. */
const CREDENTIALS = { 'x-account-id': ACCOUNT._id, 'x-auth-token': ACCOUNT.tokens[0] }

/** Our server with the shipped fixtures and default options. */
export const OURS_SHIPPED: ServerDefinition = {
  name: 'ours',
  createArguments: (port) => [
    toScriptPath('../../dist/cli.cjs'),
    '--port',
    String(port),
    '--log-level',
    'silent',
  ],
  headers: { 'x-account-id': 'oEb32zJWy27miFESb', 'x-auth-token': 'demo-preferences-token' },
  filtersByAnyParameter: false,
  readyPath: BASE,
  toPath: (_workload, read) => toOurPath(read),
  findItems: (body) => toArray((body as { data: unknown }).data),
}

/**
 * Defines our server: the built command with the items.
 * @param flags further flags; the default is a long query budget, because the queries of a workload
 * share one core
 */
export const defineOurs = (
  { fixtures, count }: Data,
  flags: readonly string[] = ['--query-budget', '60000'],
): ServerDefinition => ({
  ...OURS_SHIPPED,
  createArguments: (port) => [
    ...createNodeFlags(count),
    ...OURS_SHIPPED.createArguments(port),
    '--fixtures',
    fixtures,
    ...flags,
  ],
  headers: CREDENTIALS,
})

/**
 * Defines the bare servers, which send a constant text for each workload.
 * @param texts the file with the texts by path (see `toBarePath`)
 */
export const defineBareServers = (
  texts: string,
  workloads: readonly Workload[],
): ServerDefinition[] =>
  ['bare-node', 'bare-fastify'].map((name) => ({
    name: name.replace('-', ' '),
    createArguments: (port) => [toScriptPath(`${name}.mjs`), String(port), texts],
    headers: CREDENTIALS, // which Node parses for each server
    filtersByAnyParameter: false,
    readyPath: '/',
    toPath: (workload) => toBarePath(workloads, workload),
    findItems: undefined,
  }))

/** Returns the path of a workload on a bare server. */
export const toBarePath = (workloads: readonly Workload[], workload: Workload): string =>
  `/${workloads.indexOf(workload)}`

/** Defines a server of materials that is written by hand, with the features of ours. */
export const defineByHand = ({ materials, count }: Data): ServerDefinition => ({
  ...OURS_SHIPPED,
  name: 'by hand',
  createArguments: (port) => [
    ...createNodeFlags(count),
    toScriptPath('by-hand.mjs'),
    String(port),
    materials,
    ACCOUNT._id,
    ...ACCOUNT.tokens,
  ],
  headers: CREDENTIALS,
})

/** Defines the hand-written loop that regular expressions are compared with. */
export const defineLoop = ({ materials, count }: Data): ServerDefinition => ({
  name: 'loop',
  createArguments: (port) => [
    ...(count > LARGE_COUNT ? ['--max-old-space-size=8192'] : []),
    toScriptPath('loop.mjs'),
    String(port),
    materials,
  ],
  headers: {},
  filtersByAnyParameter: false,
  readyPath: '/?pattern=^',
  toPath: ({ name }, { pattern }) =>
    name === PATTERN ? `/?${new URLSearchParams({ pattern: pattern?.[1] ?? '' })}` : undefined,
  findItems: (body) => toArray((body as { data: unknown }).data),
})

/** Defines a process that only parses the items, and with 'items and texts' also formats them. */
export const defineBaseline = (
  { materials }: Data,
  contents: 'items' | 'items and texts',
): ServerDefinition => ({
  name: `a process with ${contents}`,
  createArguments: (port) => [toScriptPath('baseline.mjs'), String(port), materials, contents],
  headers: {},
  filtersByAnyParameter: false,
  readyPath: '/',
  toPath: () => undefined,
  findItems: undefined,
})

/**
 * Defines json-server, run by its own command.
 * @param database its file
 */
export const defineJsonServer = (database: string): ServerDefinition => ({
  name: 'json-server',
  createArguments: (port) => [JSON_SERVER, '--port', String(port), '--host', '127.0.0.1', database],
  headers: {},
  filtersByAnyParameter: true,
  readyPath: `/materials?_page=1&_per_page=${LIMIT}`,
  toPath: (_workload, { id, equal, range, pattern, sort, fields, page }) => {
    if (pattern !== undefined || fields !== undefined) return undefined
    if (id !== undefined) return `/materials/${id}`
    const parameters = new URLSearchParams({ _page: String(page + 1), _per_page: String(LIMIT) })
    if (equal !== undefined) parameters.set(...equal)
    if (range !== undefined) parameters.set(`${range[0]}:gte`, String(range[1]))
    if (range !== undefined) parameters.set(`${range[0]}:lt`, String(range[2]))
    if (sort !== undefined) parameters.set('_sort', (sort[1] === 1 ? '' : '-') + sort[0])
    return `/materials?${parameters}`
  },
  findItems: (body) => toArray((body as { data?: unknown }).data ?? body),
})

/** Defines Feathers with its memory service. */
export const defineFeathers = ({ materials }: Data): ServerDefinition => ({
  name: 'Feathers',
  createArguments: (port) => [toScriptPath('feathers.mjs'), String(port), materials],
  headers: {},
  filtersByAnyParameter: true,
  readyPath: `/materials?$limit=${LIMIT}`,
  toPath: (_workload, { id, equal, range, pattern, sort, fields, page }) => {
    if (pattern !== undefined) return undefined
    if (id !== undefined) return `/materials/${id}`
    const parameters = new URLSearchParams({ $limit: String(LIMIT), $skip: String(page * LIMIT) })
    if (equal !== undefined) parameters.set(...equal)
    if (range !== undefined) parameters.set(`${range[0]}[$gte]`, String(range[1]))
    if (range !== undefined) parameters.set(`${range[0]}[$lt]`, String(range[2]))
    if (sort !== undefined) parameters.set(`$sort[${sort[0]}]`, String(sort[1]))
    for (const field of fields ?? []) parameters.append('$select[]', field)
    return `/materials?${parameters}`
  },
  findItems: (body) => toArray((body as { data?: unknown }).data ?? body),
})

/** Returns the flags of Node that the README gives for this number of items. */
function createNodeFlags(count: number): string[] {
  if (count < 100_000) return []
  return ['--max-old-space-size=8192', `--max-semi-space-size=${count < 1_000_000 ? 32 : 64}`]
}

/** Above this number of items, Node needs more memory than its default limit of about 4 GB. */
const LARGE_COUNT = 250_000

const JSON_SERVER = createRequire(import.meta.url).resolve('json-server/lib/bin.js')

const toScriptPath = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

const toArray = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value])
