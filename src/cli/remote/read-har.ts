import { readFile, stat } from 'node:fs/promises'

import { Type } from '@sinclair/typebox'
import type { Static } from '@sinclair/typebox'

import {
  compileValidator,
  createRedactor,
  decodePart,
  findViolation,
  isJsonObject,
  listHeaderSecrets,
  listNamedSecrets,
  parseIfJson,
} from '@materials-mock/json'
import { runToEnd } from '@materials-mock/work'
import { OptionsInvalid } from '../../errors.js'
import { findItems, hasFields } from '../../fixtures/answer-recorder.js'
import { describeReadError } from '../../fixtures/read-fixture-file.js'
import { describeWrongName } from '../../fixtures/validate-items.js'
import { describeResource } from '../../resources/resources.js'
import { ownerIdOf } from '../../store/entry.js'

const Header = Type.Object({ name: Type.String(), value: Type.String() })

/** The content of a response. Browsers leave it out for a request that has failed. */
const Content = Type.Partial(Type.Object({ text: Type.String(), encoding: Type.String() }))

const Entry = Type.Object({
  startedDateTime: Type.String(),
  request: Type.Object({
    method: Type.String(),
    url: Type.String(),
    headers: Type.Optional(Type.Array(Header)),
  }),
  response: Type.Object({
    status: Type.Integer(),
    headers: Type.Optional(Type.Array(Header)),
    content: Type.Optional(Content),
    comment: Type.Optional(Type.String()),
  }),
})
type Entry = Static<typeof Entry>

/** The part of an HTTP Archive that is read (http://www.softwareishard.com/blog/har-12-spec/). */
const Har = Type.Object({ log: Type.Object({ entries: Type.Array(Entry) }) })

const validateHar = compileValidator(Har, 'body', 'it')

/** An item without secrets. Its text takes a third of the memory of its values, and no time of the garbage collector. */
interface HarItem {
  readonly json: string
  readonly ownerId: string | undefined
  /** Whether no answer has all fields. */
  readonly isPart: boolean
}

interface HarItems {
  /** The items of each resource by their `_id`, in the order in which they were first seen. */
  readonly resources: ReadonlyMap<string, ReadonlyMap<string, HarItem>>
  /** The paths of successful requests to the API whose answers the file does not have whole, each with the reason. */
  readonly unread: readonly string[]
}

/**
 * Reads answers of any host: lists, items and writes. The newest counts, but a part of the fields
 * never replaces a whole item. Secrets such as tokens and cookies of requests are removed.
 * @throws OptionsInvalid
 */
export async function readHar(file: string, paths: readonly string[]): Promise<HarItems> {
  const resources = new Map<string, Map<string, HarItem>>()
  const unread = new Map<string, string>()
  const entries = parseEntries(file, await readText(file))
  const redact = createRedactor(paths, new Set(entries.flatMap(listSecrets)))
  for (const { request, response } of entries) {
    const { method } = request
    const { pathname, searchParams } = new URL(request.url)
    const resource = findResource(pathname)
    if (resource === undefined || /^(?:OPTIONS|HEAD)$/.test(method)) continue
    if (response.status < 200 || response.status > 299) continue
    const body = parseIfJson(readBody(response))
    const violation = findViolation(body, RULES)
    if (violation !== undefined || !isJsonObject(body)) {
      const reason = violation ? `it ${violation.message}` : describeLack(response)
      unread.set(`${method} ${request.url}`, `${method} ${pathname} (${reason})`)
      continue
    }
    // An answer to the same URL is whole.
    unread.delete(`${method} ${request.url}`)
    const items = findItems(body)
    const isList = Array.isArray(body.data) && LIST_PATH.test(pathname)
    if (items.length === 0 && !isList && method !== 'DELETE') continue
    const byId = resources.get(resource) ?? new Map<string, HarItem>()
    resources.set(resource, byId)
    if (method === 'DELETE') byId.delete(decodePart(pathname.split('/').at(-1) ?? ''))
    const isPart = hasFields(searchParams.get('projection'))
    for (const item of items) {
      const id = String(item._id)
      if (isPart && byId.get(id)?.isPart === false) continue
      const redacted = runToEnd(redact(item))
      byId.set(id, { json: JSON.stringify(redacted), ownerId: ownerIdOf(redacted), isPart })
    }
  }
  if (resources.size > 0) return { resources, unread: [...new Set(unread.values())] }
  const [first] = unread.values()
  const reason =
    first === undefined
      ? 'a HAR has the requests that were sent while the network panel was open'
      : `no body is whole, the first is that of ${first}; save the HAR with content`
  throw new OptionsInvalid(`give another file; ${file} has no answer of the API: ${reason}`)
}

/** The largest HAR, in bytes. To record it takes 1.8 GB of memory. */
const MAX_BYTES = 256 * 1024 * 1024

async function readText(file: string): Promise<string> {
  try {
    const { size } = await stat(file)
    if (size <= MAX_BYTES) return await readFile(file, 'utf8')
    const [megabytes, limit] = [size, MAX_BYTES].map((bytes) => Math.ceil(bytes / 2 ** 20))
    throw new OptionsInvalid(
      `give a HAR of at most ${limit} MB; ${file} has ${megabytes} MB: filter the network panel by /api/ before you save it`,
    )
  } catch (error) {
    if (error instanceof OptionsInvalid) throw error
    throw new OptionsInvalid(`${file} can't be read: ${describeReadError(error)}`)
  }
}

/** Returns the entries with a URL, the oldest first. One without a time, as Safari writes some, is as old as the one before. */
function parseEntries(file: string, text: string): Entry[] {
  const har: unknown = parseIfJson(text.replace(/^\uFEFF/, ''))
  const problem = typeof har === 'string' ? 'it is cut off, or not JSON' : validateHar(har)?.message
  if (problem !== undefined) {
    throw new OptionsInvalid(
      `${file} must be a HAR, as the network panel of a browser saves it: ${problem}`,
    )
  }
  let last = 0
  return (har as Static<typeof Har>).log.entries
    .filter(({ request }) => URL.canParse(request.url))
    .map((entry) => ({ entry, at: (last = Date.parse(entry.startedDateTime) || last) }))
    .toSorted((one, other) => one.at - other.at)
    .map(({ entry }) => entry)
}

/** The levels of JSON that are read: the 100 of an item in a list. */
const RULES = { maxDepth: 102 }

/**
 * Answers with items: `/api/2018-10-01/materials/m1`. Below other paths of an item are other
 * things.
 */
const RESOURCE_PATH = /\/api\/[^/]+\/([^/]+)(?:\/[^/]+(?:(\/copy)|\/set-default|\/submit)?)?\/?$/

const LOGIN_PATH = /\/(?:login|token)\/?$/

/** The path of the list of a resource. Others answer arrays, too: `/other/entity-counts`, `/jobs/j1/files`. */
const LIST_PATH = /\/api\/[^/]+\/[^/]+\/?$/

/** Returns the resource of the items of an answer. The copy of an item of a bank is none of the bank. */
function findResource(path: string): string | undefined {
  const [, name, copy] = RESOURCE_PATH.exec(path) ?? []
  if (name === undefined || describeWrongName(name) !== undefined) return undefined
  return (copy === undefined ? undefined : describeResource(name).bankOf) ?? name
}

/** Describes why an answer can't be read. The mock's own HAR says it in comments. */
function describeLack({ comment = '', content: { text = '' } = {} }: Entry['response']): string {
  if (comment !== '') return comment
  return text === '' ? 'it has no body' : 'its body is cut off, or not JSON'
}

const readBody = ({ content: { text = '', encoding } = {} }: Entry['response']): string =>
  encoding === 'base64' ? Buffer.from(text, 'base64').toString() : text

/** Lists the secrets of the headers, and those in the answer of a login. */
function listSecrets({ request, response }: Entry): string[] {
  const headers = [...(request.headers ?? []), ...(response.headers ?? [])]
  const isLogin = LOGIN_PATH.test(new URL(request.url).pathname)
  const answer = isLogin ? parseIfJson(readBody(response)) : null
  return [
    ...listHeaderSecrets(headers.map(({ name, value }) => [name, value])),
    ...(findViolation(answer, RULES) === undefined ? listNamedSecrets(answer) : []),
  ]
}
