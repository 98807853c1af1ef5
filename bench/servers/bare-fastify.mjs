/** Bare Fastify, with a route for each path that sends constant bytes. Arguments: port, file of texts. */
import { readFileSync } from 'node:fs'

import fastify from 'fastify'

const [port, file = ''] = process.argv.slice(2)
/** @type {Record<string, string>} */
const texts = JSON.parse(readFileSync(file, 'utf8'))

const app = fastify()
app.get('/', async () => ({}))
for (const [path, text] of Object.entries(texts)) {
  const bytes = Buffer.from(text) // a string would be encoded for each response
  app.get(path, (_request, reply) => reply.type('application/json; charset=utf-8').send(bytes))
}
await app.listen({ port: Number(port), host: '127.0.0.1' })
