import { buildApp } from '../../src/server/app.js'

/** Prints the OpenAPI document at a path of a server with the shipped fixtures, as it is served. */
const [path = ''] = process.argv.slice(2)
const app = await buildApp()
const address = await app.listen({ host: '127.0.0.1', port: 0 })
const response = await fetch(address + path)
console.log(JSON.stringify(await response.json(), null, 2))
await app.close()
