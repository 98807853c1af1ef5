/** Bare `node:http`, which sends constant bytes for each path. Arguments: port, file of texts. */
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'

const [port, file = ''] = process.argv.slice(2)
/** @type {Record<string, string>} */
const texts = JSON.parse(readFileSync(file, 'utf8'))
const bodies = new Map(Object.entries(texts).map(([path, text]) => [path, Buffer.from(text)]))
const ready = Buffer.from('{}')

createServer(({ url = '/' }, response) => {
  const body = bodies.get(url.split('?', 1)[0] ?? '') ?? ready
  response.setHeader('content-type', 'application/json; charset=utf-8')
  response.setHeader('content-length', body.length)
  response.end(body)
}).listen(Number(port), '127.0.0.1')
