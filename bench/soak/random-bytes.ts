import type { Random } from '@materials-mock/structures'
import { choose, chooseInteger, chooseWeighted } from './choose.js'

/** Bytes for a connection of their own. */
export interface BytesAction {
  readonly kind: 'bytes'
  readonly bytes: Buffer
  /** What follows: TCP RST, FIN, or nothing until the server responds. */
  readonly ending: 'reset' | 'end' | 'wait'
}

const HOST = 'Host: 127.0.0.1\r\n'

/** The requests that are cut, sent as they are, or sent several times. */
const TEXTS = [
  `GET /api/2018-10-01/materials HTTP/1.1\r\n${HOST}\r\n`,
  `GET /__admin/health HTTP/1.1\r\n${HOST}\r\n`,
  `CONNECT example.com:443 HTTP/1.1\r\n${HOST}\r\n`,
  `GET / HTTP/1.1\r\n${HOST}Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n`,
  `GET / HTTP/1.1\r\n${HOST}Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n\r\n`,
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  `POST /__admin/faults HTTP/1.1\r\n${HOST}Content-Type: application/json\r\nContent-Length: 500\r\n\r\n{"status": 503`,
  `POST /__admin/reset HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked\r\n\r\nzz\r\nhello`,
  `PUT /api/2018-10-01/materials/create HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked\r\n\r\n5\r\n{"a":`,
  `GET / HTTP/1.1\r\n${HOST}${HOST}\r\n`,
  'GET / HTTP/1.1\r\n\r\n',
  `GET / HTTP/1.1\r\n${HOST}Expect: something\r\n\r\n`,
  `PUT / HTTP/1.1\r\n${HOST}Expect: 100-continue\r\nContent-Length: 5\r\n\r\n`,
  `GET /api/2018-10-01/materials/%ff HTTP/1.1\r\n${HOST}\r\n`,
  `GET / HTTP/1.1\r\n${HOST}A: ${'a'.repeat(300_000)}\r\n\r\n`,
  `GET / HTTP/1.1\r\n${HOST}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n`,
  `GET / HTTP/9.9\r\n${HOST}\r\n`,
]

/** Returns bytes that are no request, half a request, or several, and how the connection ends. */
export function createBytes(random: Random): BytesAction {
  const text = choose(random, TEXTS)
  const bytes = chooseWeighted<() => Buffer>(random, [
    [4, () => Buffer.from(text)],
    [4, () => Buffer.from(text.slice(0, chooseInteger(random, text.length)))],
    [1, () => Buffer.from(text.repeat(2 + chooseInteger(random, 10)))],
    [2, () => mutate(random, Buffer.from(text))],
    [1, () => Buffer.from(Array.from({ length: 200 }, () => chooseInteger(random, 256)))],
  ])()
  return { kind: 'bytes', bytes, ending: choose(random, ['reset', 'end', 'wait']) }
}

/** Changes some bytes at random. */
function mutate(random: Random, bytes: Buffer): Buffer {
  for (let count = 1 + chooseInteger(random, 5); count > 0; count -= 1)
    bytes[chooseInteger(random, bytes.length)] = chooseInteger(random, 256)
  return bytes
}
