import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

import { ACCOUNT } from './data.js'
import type { Data } from './data.js'
import { BASE, ourPath } from './our-path.js'
import { LIMIT, PATTERN } from './work.js'
import type { Read, Work } from './work.js'

/** A server that is measured. */
export interface Contender {
  readonly name: string
  /** Node's arguments: what to run, on this port. */
  readonly argv: (port: number) => readonly string[]
  /** Its headers go with every request. */
  readonly headers: Readonly<Record<string, string>>
  /** What answers 200 once it is up. */
  readonly readyPath: string
  /** The path of a read; undefined where the server can't do that work. */
  readonly pathOf: (work: Work, read: Read) => string | undefined
  /** Whether a parameter that it does not know changes what it sends. */
  readonly isStrict: boolean
  /** The items in an answer; undefined where it is a constant. */
  readonly itemsIn: ((body: unknown) => readonly unknown[]) | undefined
}

/** Ours as it starts without any option but the port. */
export const oursShipped: Contender = {
  name: 'ours',
  argv: (port) => [scriptOf('../dist/cli.cjs'), '--port', String(port), '--log-level', 'silent'],
  headers: { 'x-account-id': 'oEb32zJWy27miFESb', 'x-auth-token': 'demo-preferences-token' },
  isStrict: false,
  readyPath: BASE,
  pathOf: (_work, read) => ourPath(read),
  itemsIn: (body) => listOf((body as { data: unknown }).data),
}

/** Ours, as it is built, with all that it does for a user. */
export const ours = ({ fixtures, count }: Data): Contender => ({
  ...oursShipped,
  argv: (port) => [
    ...flagsFor(count),
    ...oursShipped.argv(port),
    '--fixtures',
    fixtures,
    '--query-budget',
    '60000',
  ],
  headers: { 'x-account-id': ACCOUNT._id, 'x-auth-token': ACCOUNT.tokens[0] },
})

/** The servers that send constants: the texts that ours sends, by the path of each kind of work. */
export const bareServers = (texts: string, works: readonly Work[]): Contender[] =>
  ['bare-node', 'bare-fastify'].map((name) => ({
    name: name.replace('-', ' '),
    argv: (port) => [scriptOf(`servers/${name}.mjs`), String(port), texts],
    headers: {},
    isStrict: false,
    readyPath: '/',
    pathOf: (work) => barePath(works, work),
    itemsIn: undefined,
  }))

/** Where a bare server has the constant of a kind of work. */
export const barePath = (works: readonly Work[], work: Work): string => `/${works.indexOf(work)}`

/** The hand-written loop that a regular expression is held against. */
export const loop = ({ materials, count }: Data): Contender => ({
  name: 'loop',
  argv: (port) => [
    ...(count > LARGE ? ['--max-old-space-size=8192'] : []),
    scriptOf('servers/loop.mjs'),
    String(port),
    materials,
  ],
  headers: {},
  isStrict: false,
  readyPath: '/?pattern=^',
  pathOf: ({ name }, { pattern }) =>
    name === PATTERN ? `/?${new URLSearchParams({ pattern: pattern?.[1] ?? '' })}` : undefined,
  itemsIn: (body) => listOf((body as { data: unknown }).data),
})

/** A process that only holds the items, and their texts where it is asked to. */
export const holder = ({ materials }: Data, holds: 'items' | 'items and texts'): Contender => ({
  name: `a process that holds ${holds}`,
  argv: (port) => [scriptOf('servers/hold.mjs'), String(port), materials, holds],
  headers: {},
  isStrict: false,
  readyPath: '/',
  pathOf: () => undefined,
  itemsIn: undefined,
})

/** json-server, as its command runs it. */
export const jsonServer = (database: string): Contender => ({
  name: 'json-server',
  argv: (port) => [JSON_SERVER, '--port', String(port), '--host', '127.0.0.1', database],
  headers: {},
  isStrict: true,
  readyPath: '/materials?_page=1&_per_page=1',
  pathOf: (_work, { id, equal, range, pattern, sort, fields, page }) => {
    if (pattern !== undefined || fields !== undefined) return undefined
    if (id !== undefined) return `/materials/${id}`
    const parameters = new URLSearchParams({ _page: String(page + 1), _per_page: String(LIMIT) })
    if (equal !== undefined) parameters.set(...equal)
    if (range !== undefined) parameters.set(`${range[0]}:gte`, String(range[1]))
    if (range !== undefined) parameters.set(`${range[0]}:lt`, String(range[2]))
    if (sort !== undefined) parameters.set('_sort', (sort[1] === 1 ? '' : '-') + sort[0])
    return `/materials?${parameters}`
  },
  itemsIn: (body) => listOf((body as { data?: unknown }).data ?? body),
})

/** Feathers with its memory service. */
export const feathers = ({ materials }: Data): Contender => ({
  name: 'Feathers',
  argv: (port) => [scriptOf('servers/feathers.mjs'), String(port), materials],
  headers: {},
  isStrict: true,
  readyPath: '/materials?$limit=1',
  pathOf: (_work, { id, equal, range, pattern, sort, fields, page }) => {
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
  itemsIn: (body) => listOf((body as { data?: unknown }).data ?? body),
})

/** The flags of Node that ours has with so many items: those that its README has for them. */
function flagsFor(count: number): string[] {
  if (count < 100_000) return []
  return ['--max-old-space-size=8192', `--max-semi-space-size=${count < 1_000_000 ? 32 : 64}`]
}

/** From how many items on Node's own limit of memory, about 4 GB, is too low. */
const LARGE = 250_000

const JSON_SERVER = createRequire(import.meta.url).resolve('json-server/lib/bin.js')

const scriptOf = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value])
