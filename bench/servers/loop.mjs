/**
 * Bare `node:http` with a hand-written loop over the items. It sends at most 50 items whose name
 * matches a pattern. Arguments: port, file of items.
 */
import { createServer } from 'node:http'

import { readItems } from './read-items.mjs'

const [port, file = ''] = process.argv.slice(2)
const items = await readItems(file)

createServer(({ url = '/' }, response) => {
  const pattern = new RegExp(new URLSearchParams(url.split('?')[1]).get('pattern') ?? '')
  const found = []
  for (const item of items) {
    if (!pattern.test(item.name ?? '')) continue
    found.push(item)
    if (found.length === 50) break
  }
  const text = JSON.stringify({ status: 'success', data: found })
  response.setHeader('content-type', 'application/json; charset=utf-8')
  response.setHeader('content-length', Buffer.byteLength(text))
  response.end(text)
}).listen(Number(port), '127.0.0.1')
