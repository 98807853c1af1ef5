/**
 * Parses the items of a file, formats their texts if required, and responds when it is done.
 * Arguments: port, file of items, `items` or `items and texts`.
 */
import { createServer } from 'node:http'

import { readItems } from './read-items.mjs'

const [port, file = '', contents] = process.argv.slice(2)
const items = await readItems(file)
const texts = contents === 'items' ? [] : items.map((item) => JSON.stringify(item))

createServer((_request, response) => {
  response.end(`${items.length} items, ${texts.length} texts`)
}).listen(Number(port), '127.0.0.1')
