import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

import { Type } from '@sinclair/typebox'
import type { Static } from '@sinclair/typebox'

import { compareStrings } from '../contract/sample.js'
import { OptionsInvalid } from '../errors.js'
import { loadFixtures } from '../fixtures/load-fixtures.js'
import { isJsonObject, parseIfJson } from '../json/json.js'
import type { Json, JsonObject } from '../json/json.js'
import { quote } from '../json/quote.js'
import { createRedactor } from '../json/redact-items.js'
import { untilSignal } from './command.js'
import type { Command } from './command.js'
import { fetchItems } from './remote/fetch-items.js'
import {
  REMOTE_OPTIONS,
  RESOURCE_NAMES,
  chooseResources,
  parseRemoteOptions,
} from './remote/options.js'
import type { RemoteOptions } from './remote/options.js'
import { INFO_FILE } from './remote/recording.js'
import type { RecordingInfo } from './remote/recording.js'
import { RemoteSession } from './remote/session.js'

/** The options of `materials-mock diff DIR URL`. Each is a flag. */
export const DiffOptions = Type.Object(
  {
    ...REMOTE_OPTIONS,
    resource: Type.Optional(
      Type.String({
        ...RESOURCE_NAMES,
        description: 'resources to compare (default: the resources of the folder)',
      }),
    ),
  },
  { additionalProperties: false },
)
export type DiffOptions = Static<typeof DiffOptions> &
  RemoteOptions & {
    /** The folder of fixtures. */
    readonly directory: string
  }

/** `materials-mock diff` */
export const diff: Command<DiffOptions> = {
  usage: 'DIR URL [options]',
  summary:
    'diff lists what has changed there since; it takes the same credentials, and --resource.',
  schema: DiffOptions,
  described: Type.Object({}),
  operands: ['DIR', 'URL'],
  // The exit code is 1 if something has changed.
  unusableCode: 2,
  parse: (flags, environment) => {
    const { DIR: directory } = flags
    if (directory === undefined)
      throw new OptionsInvalid('give the folder of a recording; DIR is missing: diff recorded URL')
    const options = parseRemoteOptions(flags, environment, DiffOptions)
    return { ...options, directory: String(directory) }
  },
  run: compareDeployment,
}

/** The options of a recording that select the compared items and values. */
type Scope = Pick<RecordingInfo, 'query' | 'limit' | 'redact'>

/**
 * Prints the changes at a deployment since a folder of fixtures was recorded: items by their resource
 * and id, and values by their path.
 * @returns whether nothing has changed
 * @throws OptionsInvalid, FixturesInvalid for the folder; DeploymentUnusable for the deployment
 */
async function compareDeployment(options: DiffOptions): Promise<boolean> {
  const { directory } = options
  const { resources } = await loadFixtures(directory)
  const scope = await readScope(directory)
  const chosen = chooseResources(options, directory, resources)
  const lines = await untilSignal(async (signal) => {
    const [[first] = ['materials']] = chosen
    const session = await RemoteSession.open(options, first, { signal })
    try {
      const all: string[] = []
      for (const [name, items] of chosen)
        all.push(...(await compareResource(session, name, items, scope)))
      return all
    } finally {
      await session.end()
    }
  })
  for (const line of lines) console.log(line)
  if (lines.length === 0) console.log(`nothing has changed since ${directory} was recorded`)
  return lines.length === 0
}

async function compareResource(
  session: RemoteSession,
  resource: string,
  items: readonly JsonObject[],
  { query, limit, redact }: Scope,
): Promise<string[]> {
  const recorded = new Map(items.map((item) => [item._id as string, item]))
  const lines: string[] = []
  // A limited recording has the first items by their _id, so later items are not compared.
  const end =
    limit === items.length ? [...recorded.keys()].toSorted(compareStrings).at(-1) : undefined
  const isAfter = (id: string): boolean => end !== undefined && compareStrings(id, end) > 0
  for await (const page of fetchItems(session, resource, { query, limit: Infinity })) {
    for (const current of page.map(createRedactor(redact, session.secrets))) {
      const id = current._id as string
      if (isAfter(id)) break
      lines.push(...describe(resource, id, recorded.get(id), current))
      recorded.delete(id)
    }
    if (isAfter(page.at(-1)?._id as string)) break
  }
  for (const id of recorded.keys()) lines.push(`- ${resource}/${id}`)
  return lines
}

/** Returns one line for a new item, or one for each value of an item that differs. */
function describe(
  resource: string,
  id: string,
  recorded: JsonObject | undefined,
  current: JsonObject,
): string[] {
  if (recorded === undefined) return [`+ ${resource}/${id}`]
  return compareItems(recorded, current).map(
    ({ path, before, after }) =>
      `~ ${resource}/${id} ${path}: ${describeValue(before)} -> ${describeValue(after)}`,
  )
}

const describeValue = (value: unknown): string => (value === undefined ? 'none' : quote(value))

/** Reads the options of the recording. Fixtures without a recording are compared as a whole. */
async function readScope(directory: string): Promise<Scope> {
  const file = join(directory, INFO_FILE)
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw new OptionsInvalid(`${file} can't be read: ${error.message}`)
  })
  if (text === undefined) return { query: {}, limit: null, redact: [] }
  const info = parseIfJson(text)
  if (isScope(info)) return info
  throw new OptionsInvalid(`${file} must be as record has written it, not ${quote(text)}`)
}

const isScope = (info: unknown): info is Scope =>
  isJsonObject(info) &&
  isJsonObject(info.query) &&
  (info.limit === null || typeof info.limit === 'number') &&
  Array.isArray(info.redact) &&
  info.redact.every((path) => typeof path === 'string')

/** A value that has changed. Undefined stands for a missing value. */
interface Change {
  /** The path in the item: `basis.coordinates[1].value`. */
  readonly path: string
  readonly before: Json | undefined
  readonly after: Json | undefined
}

/** Returns the value of a key. A key such as `constructor` may be missing. */
const ownValue = (object: JsonObject, key: string): Json | undefined =>
  Object.hasOwn(object, key) ? object[key] : undefined

/** Returns all paths at which two values differ. The order of keys does not count. */
function compareItems(before: Json | undefined, after: Json | undefined, path = ''): Change[] {
  if (Array.isArray(before) && Array.isArray(after)) {
    const length = Math.max(before.length, after.length)
    return Array.from({ length }, (_, index) =>
      compareItems(before[index], after[index], `${path}[${index}]`),
    ).flat()
  }
  if (isJsonObject(before) && isJsonObject(after)) {
    const keys = new Set([...Object.keys(before), ...Object.keys(after)])
    return [...keys].flatMap((key) =>
      compareItems(
        ownValue(before, key),
        ownValue(after, key),
        path === '' ? key : `${path}.${key}`,
      ),
    )
  }
  return before === after ? [] : [{ path, before, after }]
}
