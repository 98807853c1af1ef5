import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'

import t from 'tap'

import { createBodyReader } from '../../src/http/read-body.js'

const toPayload = (chunks: readonly string[], headers: object): IncomingMessage =>
  Object.assign(Readable.from(chunks.map((chunk) => Buffer.from(chunk))), {
    headers,
  }) as unknown as IncomingMessage

t.test(
  'a body may have as many bytes as the limit says, with and without its length',
  async (t) => {
    const chunks = ['ab', 'c']
    for (const headers of [{}, { 'content-length': '3' }]) {
      const read = createBodyReader()
      t.equal((await read(toPayload(chunks, headers), 3)).bytes.toString(), 'abc')
      await t.rejects(read(toPayload(chunks, headers), 2), { code: 'BODY_TOO_LARGE' })
    }
  },
)
