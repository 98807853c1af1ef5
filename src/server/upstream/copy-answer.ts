import type { IncomingMessage } from 'node:http'
import { Transform } from 'node:stream'
import type { Readable } from 'node:stream'

import type { RecordableAnswer } from '../../fixtures/answer-recorder.js'
import { listHeaderSecrets } from '../../json/redact-items.js'

/** The largest answer that is recorded, in bytes. */
const MAX_RECORDED_BYTES = 4 * 1024 * 1024

/**
 * Returns the response unchanged, and calls `onAnswer` with its body if it is a successful JSON
 * response to a GET.
 * @param request the request that the response answers
 */
export function copyAnswer(
  request: IncomingMessage,
  response: IncomingMessage,
  onAnswer: (answer: RecordableAnswer) => void,
): Readable {
  const { method, url = '' } = request
  const isJson = /^application\/json\b/i.test(response.headers['content-type'] ?? '')
  if (method !== 'GET' || response.statusCode !== 200 || !isJson) return response
  const chunks: Buffer[] = []
  let size = 0
  const copy = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length
      if (size <= MAX_RECORDED_BYTES) chunks.push(chunk)
      else chunks.length = 0
      done(null, chunk)
    },
    flush(done) {
      const headers = [request, response].flatMap((message) => Object.entries(message.headers))
      if (size <= MAX_RECORDED_BYTES)
        onAnswer({ url, secrets: listHeaderSecrets(headers), body: Buffer.concat(chunks) })
      done()
    },
  })
  response.on('error', (error) => copy.destroy(error))
  return response.pipe(copy)
}
