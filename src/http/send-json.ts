import { Readable } from 'node:stream'

import type { FastifyInstance, FastifyReply } from 'fastify'
import fp from 'fastify-plugin'

import type { JsonObject } from '../json/json.js'
import { checkPageSize, successOf } from '../store/entry-json.js'
import type { Entry } from '../store/entry.js'
import type { CollectionWriter } from '../store/writes/collection-writer.js'
import type { WriteContext } from '../store/writes/owner.js'
import type { Work } from '../work/work.js'
import { JSON_TYPE } from './envelope.js'
import { BUFFER_BYTES, BodyBuffers, JoinedBody } from './joined-body.js'

declare module 'fastify' {
  interface FastifyReply {
    /** The body of the response, if it is joined from the texts of several items. */
    joinedBody: JoinedBody | undefined
    /** Sends one item in the success envelope. */
    sendItem(entry: Entry): FastifyReply
    /** Creates and inserts an item of a resource in a slice of its own, and sends its entry. */
    sendCreated(
      resource: string,
      create: (context: WriteContext) => JsonObject,
    ): Promise<FastifyReply>
    /**
     * Runs a write of the request's account in a slice of its own, and sends the entry that it returns.
     * A write that times out has written nothing, and runs again.
     */
    sendWritten(resource: string, write: (writer: CollectionWriter) => Entry): Promise<FastifyReply>
    /** Sends JSON texts as an array in the success envelope. */
    sendList(texts: readonly Buffer[]): FastifyReply
  }
}

/** The size of the largest body that needs no buffer of the pool, in bytes. Node has a pool for small buffers. */
const SMALL_BYTES = 4 * 1024

/** Decorates replies with methods that send stored JSON text without parsing or encoding it. */
async function sendJson(app: FastifyInstance): Promise<void> {
  const buffers = new BodyBuffers()
  app.decorateReply('joinedBody', undefined)
  app.decorateReply('sendItem', function sendItem(entry) {
    return this.type(JSON_TYPE).send(successOf(entry))
  })
  app.decorateReply('sendCreated', async function sendCreated(resource, create) {
    return this.sendWritten(resource, (writer) => writer.insert(create(writer.context)))
  })
  app.decorateReply('sendWritten', async function sendWritten(resource, write) {
    const { store, accountId } = this.request
    const run = (): Entry => withText(write(store.writer(resource, accountId)))
    return this.sendItem(await this.runStep(run))
  })
  app.decorateReply('sendList', function sendList(texts) {
    return sendJoined(this, buffers, new JoinedBody(texts))
  })
}

export default fp(sendJson, { name: 'send-json', dependencies: ['run-work'] })

/** Creates the text of an entry in the slice of its write, because a large item takes long. */
function withText(entry: Entry): Entry {
  successOf(entry)
  return entry
}

/**
 * Sends a body as one buffer, which is reused after it is sent. A large body is sent as a stream of its
 * texts: the texts are shared, but a copy would take memory as long as the client is slow.
 */
function sendJoined(reply: FastifyReply, buffers: BodyBuffers, body: JoinedBody): FastifyReply {
  const { size } = body
  reply.joinedBody = body
  reply.type(JSON_TYPE)
  if (size <= SMALL_BYTES) return reply.send(body.join())
  const buffer = size <= BUFFER_BYTES ? buffers.take() : undefined
  if (buffer === undefined) {
    reply.header('content-length', size)
    return reply.send(Readable.from(body.parts(), { objectMode: false, highWaterMark: 1 }))
  }
  reply.raw.on('close', () => buffers.giveBack(buffer)) // the connection has sent it, or ended its writes
  return reply.send(body.join(buffer))
}

/**
 * Writes the JSON of each value in a step of its own, because values may be large or many.
 * @throws BoundExceeded for a list of more than 64 MiB
 */
export function* toTexts(values: Iterable<unknown>): Work<Buffer[]> {
  const texts: Buffer[] = []
  let bytes = 0
  for (const value of values) {
    const text = Buffer.from(JSON.stringify(value))
    bytes += text.length
    checkPageSize(bytes, 'have fewer entries, or shorter names')
    texts.push(text)
    yield 'writing the response'
  }
  return texts
}
