import { Type } from '@sinclair/typebox'
import type { Static } from '@sinclair/typebox'

import { OptionsInvalid } from '../errors.js'
import { OTHER_FIXTURES } from '../fixtures/fixture-file.js'
import { loadFixtures } from '../fixtures/load-fixtures.js'
import { isJsonObject, parseIfJson } from '../json/json.js'
import type { JsonObject } from '../json/json.js'
import { createRedactor, hasPath } from '../json/redact.js'
import { RESOURCES } from '../resources/resources.js'
import type { Fixtures } from '../store/loaded-fixtures.js'
import { parseValues, untilSignal } from './command.js'
import type { Command, Flags } from './command.js'
import { Progress } from './progress.js'
import { fetchItems, fetchOrder } from './remote/fetch-items.js'
import { REMOTE_OPTIONS, RESOURCE_NAMES, parseRemoteOptions } from './remote/options.js'
import type { RemoteOptions } from './remote/options.js'
import { readHar } from './remote/read-har.js'
import type { HarItems } from './remote/read-har.js'
import { Recording, toOptionsInvalid } from './remote/recording.js'
import type { RecordingInfo } from './remote/recording.js'
import { RemoteSession, createNoResource } from './remote/session.js'

/** The options of `materials-mock record`. Each is a flag. */
export const RecordOptions = Type.Object(
  {
    ...REMOTE_OPTIONS,
    out: Type.Optional(
      Type.String({ minLength: 1, title: 'DIR', description: 'new folder of fixtures to write' }),
    ),
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

/** Returns the names of the resources to record. */
const listResources = ({ resource }: RecordOptions): string[] => [
  ...new Set(resource?.split(',') ?? Object.keys(RESOURCES)),
]

/** `materials-mock record` */
export const record: Command<RecordOptions> = {
  usage: 'URL|FILE.har --out DIR [options]',
  summary:
    'record writes the items that an account sees at a deployment, or that a HAR has, to a folder of fixtures:',
  schema: RecordOptions,
  operands: ['URL'],
  parse: (flags, environment) => {
    const options = isHar(flags.URL)
      ? parseHarOptions(flags)
      : (parseRemoteOptions(flags, environment, RecordOptions) as RecordOptions)
    if (options.out !== undefined) return options
    throw new OptionsInvalid(
      'give a folder to write to; --out is missing: record URL --out recorded',
    )
  },
  run: async (options) => (isHar(options.url) ? recordHar(options) : recordDeployment(options)),
}

/** Whether the operand is a file of a network panel, and not a URL. */
const isHar = (source: unknown): source is string =>
  typeof source === 'string' && /\.har$/i.test(source) && !/^https?:/i.test(source)

/** @throws OptionsInvalid for an option that only a deployment has, and for a wrong value */
function parseHarOptions({ URL: url, ...flags }: Flags): RecordOptions {
  const { out, resource, redact } = RecordOptions.properties
  const schema = Type.Object({ out, resource, redact })
  const other = Object.keys(flags).find((flag) => !(flag in schema.properties))
  if (other === undefined) return { ...parseValues(schema, flags), url: String(url) }
  throw new OptionsInvalid(
    `--${other} is for deployments; a HAR has ${Object.keys(schema.properties)
      .map((name) => `--${name}`)
      .join(', ')}`,
  )
}

/** The made-up credentials of the account in a recording. */
const CREDENTIALS = { username: 'recorded', password: 'recorded', tokens: ['recorded-token'] }

/**
 * Records the items that an account sees at a deployment to a folder of fixtures, with which the mock
 * has the same lists. It sends one request at a time.
 * @returns whether the mock can serve the folder
 * @throws OptionsInvalid for a target that can't be written; DeploymentUnusable for a deployment that
 *   does not answer with lists
 */
async function recordDeployment(options: RecordOptions): Promise<boolean> {
  const { out = 'recorded' } = options
  const progress = new Progress(process.stderr)
  const recorded = await untilSignal(async (signal) => {
    const [first = 'materials'] = listResources(options)
    const session = await RemoteSession.open(options, first, {
      signal,
      onWait: (ms) => progress.showWait(ms),
    })
    try {
      return await recordResources(session, options, out, progress)
    } finally {
      progress.clear()
      await session.end()
    }
  })
  return report(recorded, out)
}

/**
 * Records the items that a HAR has to a folder of fixtures.
 * @returns whether the mock can serve the folder
 * @throws OptionsInvalid for a file that is no HAR or has no such items, and for a target that can't be written
 */
async function recordHar({
  url: file,
  out = 'recorded',
  ...options
}: RecordOptions): Promise<boolean> {
  const har = await readHar(file)
  const names = new Set(options.resource?.split(',') ?? har.resources.keys())
  const missing = [...names].find((name) => !har.resources.has(name))
  if (missing !== undefined) {
    throw new OptionsInvalid(
      `--resource: ${file} has no answer with ${missing}, but with ${[...har.resources.keys()].join(', ')}`,
    )
  }
  const redact = options.redact?.split(',') ?? []
  const accountId = findMainOwner(har)
  const recording = await Recording.open(out, {
    url: file,
    accountId,
    query: {},
    limit: null,
    redact,
  })
  const counts = new Map<string, number>()
  try {
    for (const name of names) {
      const items = har.resources.get(name) ?? new Map<string, JsonObject>()
      await recording.write(name, [...items.values()].map(createRedactor(redact, har.tokens)))
      counts.set(name, items.size)
    }
    const recorded = await finishRecording(recording, counts, { accountId, redact }, out)
    const parts = [...har.parts].filter((part) => names.has(part.split('/')[0] ?? ''))
    if (parts.length > 0)
      console.error(`materials-mock: no answer has all fields of ${parts.join(', ')}`)
    if (har.unread.length > 0)
      console.error(`materials-mock: the file has no whole answer to ${har.unread.join(', ')}`)
    return report(recorded, out)
  } catch (error) {
    throw toOptionsInvalid(out, error)
  } finally {
    await recording.close()
  }
}

/** Returns the `_id` of the account that owns most items: nothing of the headers is recorded. */
function findMainOwner({ resources }: HarItems): string {
  const counts = new Map<string, number>()
  for (const items of resources.values()) {
    for (const { owner } of items.values()) {
      if (isJsonObject(owner) && typeof owner._id === 'string')
        counts.set(owner._id, (counts.get(owner._id) ?? 0) + 1)
    }
  }
  const [[id] = ['recorded']] = [...counts].toSorted(([, a], [, b]) => b - a)
  return id
}

/** Prints the result. Returns whether the mock can serve it. */
function report({ counts, problem, unused }: Recorded, out: string): boolean {
  const list = [...counts].map(([resource, count]) => `${resource} (${count})`).join(', ')
  console.log(`recorded ${list || 'nothing'} to ${out}`)
  if (unused.length > 0)
    console.error(`materials-mock: --redact: no recorded item has ${unused.join(', ')}`)
  if (problem === undefined) console.log(`serve it with: materials-mock --fixtures ${out}${LOGIN}`)
  else console.error(`materials-mock: the mock can't serve it: ${problem}`)
  return problem === undefined
}

const LOGIN = `; log in as ${CREDENTIALS.username} / ${CREDENTIALS.password}`

/** The result of a recording. */
interface Recorded {
  /** The number of items of each resource. */
  readonly counts: ReadonlyMap<string, number>
  /** The reason if the mock can't serve them. */
  readonly problem: string | undefined
  /** The paths to redact that no item has. */
  readonly unused: readonly string[]
}

async function recordResources(
  session: RemoteSession,
  options: RecordOptions,
  out: string,
  progress: Progress,
): Promise<Recorded> {
  const { accountId } = session
  const info = {
    url: options.url,
    accountId,
    query: JSON.parse(options.query ?? '{}') as JsonObject,
    limit: options.limit ?? null,
    redact: options.redact?.split(',') ?? [],
  }
  const recording = await Recording.open(out, info)
  const counts = new Map<string, number>()
  try {
    for (const resource of listResources(options)) {
      const count = await recordResource(session, resource, recording, info, progress)
      if (count !== undefined) counts.set(resource, count)
      else if (options.resource !== undefined) throw createNoResource(resource)
    }
    return await finishRecording(recording, counts, info, out)
  } catch (error) {
    throw toOptionsInvalid(out, error)
  } finally {
    await recording.close()
  }
}

/** Writes the account, and gives the folder its name. */
async function finishRecording(
  recording: Recording,
  counts: ReadonlyMap<string, number>,
  { accountId, redact }: Pick<RecordingInfo, 'accountId' | 'redact'>,
  out: string,
): Promise<Recorded> {
  const { fixtures, problem } = await tryToLoad(recording.folder)
  const slug = fixtures && findSlug(fixtures, accountId)
  await recording.finish([{ _id: accountId, ...CREDENTIALS, ...(slug !== undefined && { slug }) }])
  const lists = fixtures && [...fixtures.resources.values()]
  const unused = redact.filter((path) =>
    lists?.every((items) => !items.some((item) => hasPath(item, path.split('.')))),
  )
  return { counts, problem: problem?.replaceAll(recording.folder, out), unused }
}

/** Records a resource. Returns the number of its items, or undefined if there is no such resource. */
async function recordResource(
  session: RemoteSession,
  resource: string,
  recording: Recording,
  { query, limit, redact }: RecordingInfo,
  progress: Progress,
): Promise<number | undefined> {
  const order = await fetchOrder(session, resource, query)
  if (order === undefined) return undefined
  const maximum = limit ?? Infinity
  const total = Math.min(order.size, maximum)
  const items = new Map<string, JsonObject>()
  showCount(progress, resource, 0, total)
  for await (const page of fetchItems(session, resource, { query, limit: maximum })) {
    for (const item of page.map(createRedactor(redact, session.secrets)))
      items.set(item._id as string, item)
    showCount(progress, resource, items.size, Math.max(items.size, total))
  }
  // Items that have come since then follow in the order of their ids.
  const ids = [...order].filter((id) => items.has(id))
  const sorted = new Set([...ids, ...items.keys()])
  await recording.write(
    resource,
    Array.from(sorted, (id) => items.get(id) as JsonObject),
  )
  return items.size
}

/** The number of characters of a bar. */
const WIDTH = 30

function showCount(progress: Progress, resource: string, count: number, total: number): void {
  const filled = total === 0 ? WIDTH : Math.min(WIDTH, Math.round((WIDTH * count) / total))
  const bar = `[${'#'.repeat(filled)}${'-'.repeat(WIDTH - filled)}]`
  progress.show(`${resource.padEnd(16)} ${bar} ${count} of ${total}`)
  if (count >= total)
    progress.showComplete(`${resource}: ${count} ${count === 1 ? 'item' : 'items'}`)
}

/** Returns the slug of the account, which one of its items has. */
function findSlug({ resources }: Fixtures, accountId: string): string | undefined {
  for (const items of resources.values()) {
    for (const { owner } of items) {
      if (isJsonObject(owner) && owner._id === accountId && typeof owner.slug === 'string')
        return owner.slug
    }
  }
  return undefined
}

/** Loads the folder as the mock does. Returns the error if the mock refuses an item of the deployment. */
async function tryToLoad(
  folder: string,
): Promise<{ readonly fixtures?: Fixtures; readonly problem?: string }> {
  try {
    return { fixtures: await loadFixtures(folder) }
  } catch (error) {
    return { problem: (error as Error).message }
  }
}
