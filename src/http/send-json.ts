import { Type } from '@sinclair/typebox'
import type { FastifyInstance, FastifyReply } from 'fastify'
import fp from 'fastify-plugin'

import type { Work } from '@materials-mock/work'
import { checkPageSize, jsonOf, toElement, withoutComma } from '../store/entry-json.js'
import type { Entry } from '../store/entry.js'
import type { CollectionWriter } from '../store/writes/collection-writer.js'
import type { CreatedItem } from '../store/writes/item-writes.js'
import type { WriteContext } from '../store/writes/owner.js'
import { SUCCESS_ENVELOPE } from './envelope-schema.js'
import { JSON_TYPE } from './envelope.js'
import { JoinedTexts } from './joined-texts.js'

declare module 'fastify' {
  interface FastifyReply {
    /** The last body that a method below has returned. The texts of items are shared: what keeps them keeps no copy. */
    sharedBody: SharedBody | undefined
    /** Returns the body of one item in the success envelope, for the handler to return. */
    itemBody(entry: Entry): Body
    /** In a slice of its own. The header `X-Mock-Completed` names what the mock has completed. */
    createdBody(resource: string, create: (context: WriteContext) => CreatedItem): Promise<Body>
    /** In a slice of its own. A write that times out has written nothing, and runs again. */
    writtenBody(resource: string, write: (writer: CollectionWriter) => Entry): Promise<Body>
    /** Returns the body of a list of JSON texts, each with a comma behind it, in the success envelope. */
    listBody(elements: readonly Buffer[]): Body
  }
}

/** What a handler returns for Fastify to send. */
export type Body = string | Buffer | JoinedTexts

interface SharedBody {
  readonly body: Body
  readonly parts: readonly (Buffer | string)[]
}

/** The header that names the fields which the mock has completed. */
const COMPLETED = 'X-Mock-Completed'

/** The headers of the response whose body `createdBody` returns. */
export const CREATED_HEADERS = {
  [COMPLETED]: {
    description: 'The paths of the fields that the item needs, and that the mock has made up.',
    schema: Type.String({ examples: ['lattice, basis'] }),
  },
}

const ITEM_OPEN = Buffer.from(SUCCESS_ENVELOPE.open)
const ITEM_CLOSE = Buffer.from(SUCCESS_ENVELOPE.close)
const LIST_OPEN = Buffer.from(`${SUCCESS_ENVELOPE.open}[`)
const LIST_CLOSE = Buffer.from(`]${SUCCESS_ENVELOPE.close}`)

const MAX_COPIED_BYTES = 32 * 1024

/** The mean size of the texts of a larger body that is copied, in bytes. */
const SHORT_TEXT = 512

/** The size of the largest such body, in bytes. */
const MAX_SHORT_BYTES = 512 * 1024

/** Decorates replies with methods that make bodies of stored JSON text without parsing it. */
async function sendJson(app: FastifyInstance): Promise<void> {
  app.decorateReply('sharedBody', undefined)
  app.decorateReply('itemBody', function itemBody(entry) {
    const json = jsonOf(entry)
    if (typeof json !== 'string') return share(this, [ITEM_OPEN, json, ITEM_CLOSE])
    this.type(JSON_TYPE)
    const { open, close } = SUCCESS_ENVELOPE
    this.sharedBody = { body: open + json + close, parts: [open, json, close] }
    return this.sharedBody.body
  })
  app.decorateReply('createdBody', async function createdBody(resource, create) {
    return this.writtenBody(resource, (writer) => {
      const { item, completed } = create(writer.context)
      const entry = writer.insert(item)
      if (completed.length > 0) void this.header(COMPLETED, completed.join(', '))
      return entry
    })
  })
  app.decorateReply('writtenBody', async function writtenBody(resource, write) {
    const { store, accountId } = this.request
    const run = (): Entry => withText(write(store.writer(resource, accountId)))
    return this.itemBody(await this.runStep(run))
  })
  app.decorateReply('listBody', function listBody(elements) {
    const parts = [LIST_OPEN, ...elements, LIST_CLOSE]
    const last = elements.at(-1)
    if (last !== undefined) parts[elements.length] = withoutComma(last)
    return share(this, parts)
  })
}

export default fp(sendJson, { name: 'send-json', dependencies: ['run-work'] })

/** Creates the text of an entry in the slice of its write, because a large item takes long. */
function withText(entry: Entry): Entry {
  jsonOf(entry)
  return entry
}

/** Returns the body of several parts, which is copied only if they are short. */
function share(reply: FastifyReply, parts: readonly Buffer[]): Body {
  const size = parts.reduce((sum, { length }) => sum + length, 0)
  const maxCopied = Math.min(parts.length * SHORT_TEXT, MAX_SHORT_BYTES)
  const isCopied = size <= Math.max(MAX_COPIED_BYTES, maxCopied)
  reply.type(JSON_TYPE)
  if (!isCopied) reply.header('content-length', size)
  const body = isCopied ? Buffer.concat(parts, size) : new JoinedTexts(parts, size)
  reply.sharedBody = { body, parts }
  return body
}

/** Returns the parts of a body that a reply shares with items, unless a fault or an error has replaced it. */
export const findSharedBody = ({ sharedBody }: FastifyReply, payload: unknown): unknown =>
  sharedBody?.body === payload ? sharedBody?.parts : payload

/**
 * A step for each value: they may be large or many.
 * @throws BoundExceeded for more than 64 MiB
 */
export function* toElements(values: Iterable<unknown>): Work<Buffer[]> {
  const elements: Buffer[] = []
  let bytes = 0
  for (const value of values) {
    const element = toElement(value)
    bytes += element.length
    checkPageSize(bytes, 'have fewer entries, or shorter names')
    elements.push(element)
    yield 'writing the response'
  }
  return elements
}
