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
    /** The parts of the body of an item or a list. The texts of items are shared: what keeps them keeps no copy. */
    sharedBody: readonly Buffer[] | undefined
    sendItem(entry: Entry): FastifyReply
    /** In a slice of its own. The header `X-Mock-Completed` names what the mock has completed. */
    sendCreated(
      resource: string,
      create: (context: WriteContext) => CreatedItem,
    ): Promise<FastifyReply>
    /** In a slice of its own. A write that times out has written nothing, and runs again. */
    sendWritten(resource: string, write: (writer: CollectionWriter) => Entry): Promise<FastifyReply>
    /** Sends JSON texts, each with a comma behind it, as an array in the success envelope. */
    sendList(elements: readonly Buffer[]): FastifyReply
  }
}

/** The header that names the fields which the mock has completed. */
const COMPLETED = 'X-Mock-Completed'

/** The headers of the response that `sendCreated` sends. */
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

/** The mean size of the texts of a larger body that is copied, and the size of the largest one, in bytes. */
const [SHORT_TEXT, MAX_SHORT_BYTES] = [512, 512 * 1024]

async function sendJson(app: FastifyInstance): Promise<void> {
  app.decorateReply('sharedBody', undefined)
  app.decorateReply('sendItem', function sendItem(entry) {
    return sendParts(this, [ITEM_OPEN, jsonOf(entry), ITEM_CLOSE])
  })
  app.decorateReply('sendCreated', async function sendCreated(resource, create) {
    return this.sendWritten(resource, (writer) => {
      const { item, completed } = create(writer.context)
      const entry = writer.insert(item)
      if (completed.length > 0) void this.header(COMPLETED, completed.join(', '))
      return entry
    })
  })
  app.decorateReply('sendWritten', async function sendWritten(resource, write) {
    const { store, accountId } = this.request
    const run = (): Entry => withText(write(store.writer(resource, accountId)))
    return this.sendItem(await this.runStep(run))
  })
  app.decorateReply('sendList', function sendList(elements) {
    const parts = [LIST_OPEN, ...elements, LIST_CLOSE]
    const last = elements.at(-1)
    if (last !== undefined) parts[elements.length] = withoutComma(last)
    return sendParts(this, parts)
  })
}

export default fp(sendJson, { name: 'send-json', dependencies: ['run-work'] })

/** Creates the text of an entry in the slice of its write, because a large item takes long. */
function withText(entry: Entry): Entry {
  jsonOf(entry)
  return entry
}

function sendParts(reply: FastifyReply, parts: readonly Buffer[]): FastifyReply {
  const size = parts.reduce((sum, { length }) => sum + length, 0)
  reply.type(JSON_TYPE)
  reply.sharedBody = parts
  const maxCopied = Math.min(parts.length * SHORT_TEXT, MAX_SHORT_BYTES)
  if (size <= Math.max(MAX_COPIED_BYTES, maxCopied)) return reply.send(Buffer.concat(parts, size))
  return reply.header('content-length', size).send(new JoinedTexts(parts, size))
}

/** Returns the body of a reply, as parts that it shares with items, if a fault has not changed it. */
export const findSharedBody = ({ sharedBody }: FastifyReply, payload: unknown): unknown =>
  typeof payload === 'string' ? payload : (sharedBody ?? payload)

/** A step for each value: they may be large or many. @throws BoundExceeded for more than 64 MiB */
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
