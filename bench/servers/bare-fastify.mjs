/** Bare Fastify, with a route for each path that sends a constant. Arguments: port, file of texts. */
import { readFileSync } from 'node:fs'

import fastify from 'fastify'

const [port, file = ''] = process.argv.slice(2)
/** @type {Record<string, string>} */
const texts = JSON.parse(readFileSync(file, 'utf8'))

const app = fastify()
app.get('/', async () => ({}))
for (const [path, text] of Object.entries(texts))
  app.get(path, (_request, reply) => reply.type('application/json; charset=utf-8').send(text))
await app.listen({ port: Number(port), host: '127.0.0.1' })
