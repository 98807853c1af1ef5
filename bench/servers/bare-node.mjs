/** Bare `node:http`, which sends a constant for each path. Arguments: port, file of texts. */
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'

const [port, file = ''] = process.argv.slice(2)
/** @type {Record<string, string>} */
const texts = JSON.parse(readFileSync(file, 'utf8'))

createServer(({ url = '/' }, response) => {
  const text = texts[url.split('?', 1)[0] ?? ''] ?? '{}'
  response.setHeader('content-type', 'application/json; charset=utf-8')
  response.setHeader('content-length', Buffer.byteLength(text))
  response.end(text)
}).listen(Number(port), '127.0.0.1')
