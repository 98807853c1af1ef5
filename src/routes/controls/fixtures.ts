import { Readable } from 'node:stream'

import type { Static } from '@sinclair/typebox'
import type { FastifyInstance, FastifyRequest } from 'fastify'

import { BodyTooLarge, ParameterInvalid, RequestMalformed } from '../../errors.js'
import { JSON_ARRAY, JSON_LINES, formatItems } from '../../fixtures/format-items.js'
import type { ItemsFormat } from '../../fixtures/format-items.js'
import { ItemParser } from '../../fixtures/item-parser.js'
import type { CompleteItem } from '../../fixtures/item-parser.js'
import { ITEM_SCHEMAS } from '../../schemas/item.js'
import { JSON_TYPE } from '../../plugins/jsend.js'
import type { FixturesQuerystring, ReplaceQuerystring } from '../../schemas/controls/parameters.js'
import { SUCCESS_ENVELOPE } from '../../schemas/jsend.js'
import type { Collection } from '../../store/collection.js'
import type { Entry } from '../../store/entry.js'
import type { Store } from '../../store/store.js'
import { Budget } from '../../work/budget.js'
import { findCollection } from './find-collection.js'
import { OPERATIONS } from './operations/operations.js'

/** The largest body of a PUT, in bytes. */
const MAX_BODY_BYTES = 64 * 1024 * 1024

interface ReplaceRoute {
  readonly Params: FixturesRoute['Params']
  readonly Querystring: Static<typeof ReplaceQuerystring>
}

interface FixturesRoute {
  readonly Params: { readonly resource: string }
  readonly Querystring: Static<typeof FixturesQuerystring>
  readonly Body: Readable | undefined
}

/**
 * Returns all items as they are held now, of every account, and replaces those of a resource. Items
 * are written and read in pieces, so that nobody waits for 100,000 of them. The work has no budget.
 */
export async function fixtureRoutes(app: FastifyInstance): Promise<void> {
  app.addHook('onRequest', async (request) => {
    request.budget = new Budget(Infinity)
  })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', async (_request: unknown, body: unknown) => body)

  app.get('/', { schema: OPERATIONS.allItems }, async (request, reply) =>
    reply.type(JSON_TYPE).send(Readable.from(writeResources(request), BYTES)),
  )

  app.get<FixturesRoute>('/:resource', { schema: OPERATIONS.items }, async (request, reply) => {
    const entries = findCollection(request).shareEntries()
    if (request.query.format === 'jsonl') {
      const lines = writeItems(request, entries, JSON_LINES)
      return reply.type('application/jsonl').send(Readable.from(lines, BYTES))
    }
    return reply.type(JSON_TYPE).send(Readable.from(writeResource(request, entries), BYTES))
  })

  app.put<ReplaceRoute>('/:resource', { schema: OPERATIONS.replaceItems }, async (request) => {
    const { store } = request.sandbox
    const { resource } = findCollection(request)
    const replacement = store.createReplacement(resource)
    const complete = await createCompletion(resource, request.query, store)
    await parseBody(request, new ItemParser(ITEM_SCHEMAS[resource], complete), replacement)
    store.replaceItems(replacement)
    return { resource, size: replacement.size }
  })
}

/**
 * Returns the function that completes partial items, if a request wants it. Its module is loaded then.
 * @throws ParameterInvalid for a seed without items to complete
 */
async function createCompletion(
  resource: string,
  { complete, seed }: ReplaceRoute['Querystring'],
  { accounts, collections }: Store,
): Promise<CompleteItem | undefined> {
  if (complete === undefined && seed !== undefined)
    throw new ParameterInvalid('seed must come with complete=true')
  if (complete === undefined) return undefined
  const { SeedCompleter } = await import('../../fixtures/seed/seed-completer.js')
  const completer = new SeedCompleter({ resource, seed: Number(seed ?? 1), accounts, collections })
  return (item, index) => completer.complete(item, index, `body[${index}]`)
}

/** The options of a stream of bytes. `Readable.from` would count objects. */
const BYTES = { objectMode: false, highWaterMark: 64 * 1024 }

/** Parses and checks a body while it arrives. */
async function parseBody(
  request: FastifyRequest,
  parser: ItemParser,
  target: Collection,
): Promise<void> {
  let size = 0
  for await (const chunk of readChunks(request)) {
    size += chunk.length
    if (size > MAX_BODY_BYTES) throw new BodyTooLarge(MAX_BODY_BYTES)
    await request.runWork(parser.parse(chunk, (item) => target.insert(item)))
  }
  parser.finish()
}

/**
 * Yields the chunks of a body. An error leaves the socket open for its response.
 * @throws RequestMalformed if the client hangs up
 */
async function* readChunks({ body, raw }: FastifyRequest): AsyncGenerator<Buffer> {
  if (Number(raw.headers['content-length'] ?? 0) > MAX_BODY_BYTES)
    throw new BodyTooLarge(MAX_BODY_BYTES)
  if (body === undefined) return
  try {
    yield* (body as Readable).iterator({ destroyOnReturn: false })
  } catch (error) {
    throw raw.complete ? error : new RequestMalformed('the body must end before the connection')
  }
}

async function* writeResources(request: FastifyRequest): AsyncGenerator<Buffer> {
  const all = [...request.sandbox.store.collections].map(
    ([name, collection]) => [name, collection.shareEntries()] as const,
  )
  yield Buffer.from(`${SUCCESS_ENVELOPE.open}{`)
  for (const [index, [name, entries]] of all.entries()) {
    yield Buffer.from(`${index === 0 ? '' : ',\n'}${JSON.stringify(name)}:`)
    yield* writeItems(request, entries, JSON_ARRAY)
  }
  yield Buffer.from(`}${SUCCESS_ENVELOPE.close}`)
}

async function* writeResource(
  request: FastifyRequest,
  entries: readonly Entry[],
): AsyncGenerator<Buffer> {
  yield Buffer.from(SUCCESS_ENVELOPE.open)
  yield* writeItems(request, entries, JSON_ARRAY)
  yield Buffer.from(SUCCESS_ENVELOPE.close)
}

async function* writeItems(
  request: FastifyRequest,
  entries: readonly Entry[],
  format: ItemsFormat,
): AsyncGenerator<Buffer> {
  for (let next = 0; ;) {
    const chunk = await request.runWork(formatItems(entries, next, format))
    yield chunk.text
    if (chunk.next === entries.length) return
    next = chunk.next
  }
}
