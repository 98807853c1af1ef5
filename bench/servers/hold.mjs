/**
 * Holds the items of a file, and their texts too, then answers that it does. Arguments: port, file
 * of items, `items` or `items and texts`.
 */
import { createServer } from 'node:http'

import { readItems } from '../read-items.mjs'

const [port, file = '', holds] = process.argv.slice(2)
const items = await readItems(file)
const texts = holds === 'items' ? [] : items.map((item) => JSON.stringify(item))

createServer((_request, response) => {
  response.end(`${items.length} items, ${texts.length} texts`)
}).listen(Number(port), '127.0.0.1')
