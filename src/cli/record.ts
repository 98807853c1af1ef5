import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { Type } from '@sinclair/typebox'
import type { Static } from '@sinclair/typebox'

import { createRedactor, hasPath, isJsonObject, parseIfJson, toObject } from '@materials-mock/json'
import type { JsonObject } from '@materials-mock/json'
import { runToEnd } from '@materials-mock/work'
import { OptionsInvalid } from '../errors.js'
import { OTHER_FIXTURES } from '../fixtures/fixture-file.js'
import { loadFixtures } from '../fixtures/load-fixtures.js'
import { joinLines } from '../fixtures/write-files.js'
import { TextOption } from '../options.js'
import { RESOURCES } from '../resources/resources.js'
import { ownerIdOf } from '../store/entry.js'
import { parseValues, print, printMessage, untilSignal } from './command.js'
import type { Command, Flags } from './command.js'
import { Progress } from './progress.js'
import { fetchItems, fetchOrder } from './remote/fetch-items.js'
import {
  LoginEnvelope,
  REMOTE_OPTIONS,
  RESOURCE_NAMES,
  chooseResources,
  parseRemoteOptions,
} from './remote/options.js'
import type { RemoteOptions } from './remote/options.js'
import { readHar } from './remote/read-har.js'
import { INFO_FILE, writeFolder } from './remote/recording.js'
import type { RecordingInfo } from './remote/recording.js'
import { RemoteSession, createNoResource } from './remote/session.js'

export const RecordOptions = Type.Object(
  {
    ...REMOTE_OPTIONS,
    loginEnvelope: LoginEnvelope,
    out: TextOption('DIR', 'new folder of fixtures to write'),
    resource: Type.Optional(
      Type.String({
        ...RESOURCE_NAMES,
        isValid: (names: string) => !names.split(',').some((name) => OTHER_FIXTURES.has(name)),
        expected: `${RESOURCE_NAMES.expected}, and not ${[...OTHER_FIXTURES].join(' or ')}`,
        description: `resources to record (default: all that the deployment has)`,
      }),
    ),
    query: Type.Optional(
      Type.String({
        isValid: (text: string) => isJsonObject(parseIfJson(text)),
        expected: "a JSON object in MongoDB's query language",
        title: 'JSON',
        description: 'record only the items that match',
      }),
    ),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 10_000_000, // 17 GB
        title: 'N',
        description: 'largest number of items of each resource',
      }),
    ),
    redact: Type.Optional(
      Type.String({
        pattern: '^[^,.]+(\\.[^,.]+)*(,[^,.]+(\\.[^,.]+)*)*$',
        isValid: (paths: string) => !paths.split(',').includes('_id'),
        expected: 'dotted paths, separated by commas, and not _id',
        title: 'PATH,…',
        description: 'paths whose values are emptied',
      }),
    ),
  },
  { additionalProperties: false },
)
export type RecordOptions = Static<typeof RecordOptions> & RemoteOptions

const listResources = ({ resource }: RecordOptions): string[] => [
  ...new Set(resource?.split(',') ?? Object.keys(RESOURCES)),
]

export const record: Command<RecordOptions> = {
  usage: 'URL|FILE.har --out DIR [options]',
  summary:
    'record writes the items that an account sees at a deployment, or that a HAR has, to a folder of fixtures:',
  schema: RecordOptions,
  operands: ['URL'],
  parse: (flags, environment) => {
    const options = isHar(flags.URL)
      ? parseHarOptions(flags)
      : parseRemoteOptions(flags, environment, RecordOptions)
    if (options.out !== undefined) return options
    throw new OptionsInvalid(
      'give a folder to write to; --out is missing: record URL --out recorded',
    )
  },
  run: async (options) => (isHar(options.url) ? recordHar(options) : recordDeployment(options)),
}

/** Whether the operand is a file of a network panel, and not a URL. */
const isHar = (source: unknown): boolean => /^(?!https?:).*\.har$/is.test(String(source))

const HarOptions = Type.Pick(RecordOptions, ['out', 'resource', 'redact'])

/** @throws OptionsInvalid for an option that only a deployment has, and for a wrong value */
function parseHarOptions({ URL: url, ...flags }: Flags): RecordOptions {
  const other = Object.keys(flags).find((flag) => !(flag in HarOptions.properties))
  if (other === undefined) return { ...parseValues(HarOptions, flags), url: String(url) }
  const known = Object.keys(HarOptions.properties).map((name) => `--${name}`)
  throw new OptionsInvalid(`--${other} is for deployments; a HAR has ${known.join(', ')}`)
}

/**
 * One request at a time.
 * @returns whether the mock can serve the folder
 * @throws OptionsInvalid, DeploymentUnusable
 */
async function recordDeployment(options: RecordOptions): Promise<boolean> {
  const progress = new Progress(process.stderr)
  return untilSignal(async (signal) => {
    const [first = 'materials'] = listResources(options)
    const session = await RemoteSession.open(options, first, {
      signal,
      onWait: (ms) => progress.showWait(ms),
    })
    try {
      const info = { ...toSelection(options), accountId: session.accountId }
      return await writeRecording(options, info, fetchResources(session, options, info, progress))
    } finally {
      progress.clear()
      await session.end()
    }
  })
}

/**
 * @returns whether the mock can serve the folder
 * @throws OptionsInvalid
 */
async function recordHar(options: RecordOptions): Promise<boolean> {
  const selection = toSelection(options)
  const { resources, unread } = await readHar(options.url, selection.redact)
  const chosen = chooseResources(options, options.url, resources)
  const recorded = chosen.map(([name, items]): RecordedResource => [
    name,
    Array.from(items.values(), ({ json }) => json),
  ])
  const ownerIds = chosen.flatMap(([, items]) => Array.from(items.values(), (each) => each.ownerId))
  const accountId = findMostFrequent(ownerIds) ?? 'recorded'
  const isServable = await writeRecording(options, { ...selection, accountId }, recorded)
  const incomplete = chosen.flatMap(([name, items]) =>
    [...items].filter(([, { isPart }]) => isPart).map(([id]) => `${name}/${id}`),
  )
  if (incomplete.length > 0) printMessage(`no answer has all fields of ${incomplete.join(', ')}`)
  for (const each of unread) printMessage(`not recorded: ${each}`)
  return isServable
}

function findMostFrequent(texts: readonly (string | undefined)[]): string | undefined {
  const counts = new Map<string, number>()
  for (const text of texts) if (text !== undefined) counts.set(text, (counts.get(text) ?? 0) + 1)
  return [...counts].toSorted(([, a], [, b]) => b - a)[0]?.[0]
}

const toSelection = ({ url, resource, query = '{}', limit, redact }: RecordOptions) => ({
  url,
  resource: resource ?? null,
  query: toObject(parseIfJson(query)),
  limit: limit ?? null,
  redact: redact?.split(',') ?? [],
})

/** The name of a resource, and the JSON of its items without secrets. */
type RecordedResource = readonly [name: string, items: readonly string[]]

/** The made-up credentials of the account in a recording. */
const CREDENTIALS = { username: 'recorded', password: 'recorded', tokens: ['recorded-token'] }

/**
 * @returns whether the mock can serve the folder
 * @throws OptionsInvalid
 */
async function writeRecording(
  { out = 'recorded' }: RecordOptions,
  info: RecordingInfo,
  resources: Iterable<RecordedResource> | AsyncIterable<RecordedResource>,
): Promise<boolean> {
  const counts: string[] = []
  const written = await writeFolder(out, async (folder) => {
    await writeFile(join(folder, INFO_FILE), toText(info))
    for await (const [name, recorded] of resources) {
      await writeFile(join(folder, `${name}.jsonl`), joinLines(recorded))
      counts.push(`${name} (${recorded.length})`)
    }
    const loaded = await loadFixtures(folder).catch((error: Error) => error)
    const problem = loaded instanceof Error ? loaded.message.replaceAll(folder, out) : undefined
    const items = loaded instanceof Error ? [] : [...loaded.resources.values()].flat()
    const slug = findSlug(items, info.accountId)
    const account = { _id: info.accountId, ...CREDENTIALS, ...(slug && { slug }) }
    await writeFile(join(folder, 'accounts.json'), toText([account]))
    return { items, problem }
  })
  print(`recorded ${counts.join(', ') || 'nothing'} to ${out}`)
  if (written.problem !== undefined) {
    printMessage(`the mock can't serve it: ${written.problem}`)
    return false
  }
  const unused = info.redact.filter(
    (path) => !written.items.some((item) => hasPath(item, path.split('.'))),
  )
  if (unused.length > 0) printMessage(`--redact: no recorded item has ${unused.join(', ')}`)
  const login = `log in as ${CREDENTIALS.username} / ${CREDENTIALS.password}`
  print(`serve it with: materials-mock --fixtures ${out}; ${login}`)
  return true
}

const toText = (value: unknown): string => `${JSON.stringify(value, undefined, 2)}\n`

/** Fetches the items of all resources to record that the deployment has, in their order. */
async function* fetchResources(
  session: RemoteSession,
  options: RecordOptions,
  { query, limit, redact }: RecordingInfo,
  progress: Progress,
): AsyncGenerator<RecordedResource> {
  for (const name of listResources(options)) {
    const order = await fetchOrder(session, name, query)
    if (order === undefined && options.resource !== undefined) throw createNoResource(name)
    if (order === undefined) continue
    const maximum = limit ?? Infinity
    const total = Math.min(order.size, maximum)
    const items = new Map<string, string>()
    showCount(progress, name, 0, total)
    for await (const page of fetchItems(session, name, { query, limit: maximum })) {
      const hide = createRedactor(redact, session.secrets)
      for (const item of page) items.set(String(item._id), JSON.stringify(runToEnd(hide(item))))
      showCount(progress, name, items.size, Math.max(items.size, total))
    }
    // Items that have come since then follow in the order of their ids.
    const ids = new Set([...order, ...items.keys()])
    yield [name, Array.from(ids, (id) => items.get(id)).filter((item) => item !== undefined)]
  }
  progress.clear()
}

const WIDTH = 30

function showCount(progress: Progress, resource: string, count: number, total: number): void {
  const filled = total === 0 ? WIDTH : Math.min(WIDTH, Math.round((WIDTH * count) / total))
  const bar = `[${'#'.repeat(filled)}${'-'.repeat(WIDTH - filled)}]`
  progress.show(`${resource.padEnd(16)} ${bar} ${count} of ${total}`)
  if (count >= total)
    progress.showComplete(`${resource}: ${count} ${count === 1 ? 'item' : 'items'}`)
}

const findSlug = (items: readonly JsonObject[], accountId: string): string | undefined =>
  items
    .filter((item) => ownerIdOf(item) === accountId)
    .map(({ owner }) => toObject(owner).slug)
    .find((slug) => typeof slug === 'string')
