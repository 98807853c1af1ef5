import { buildApp } from '../../src/app.js'

/** Prints the OpenAPI document of a server with the shipped fixtures, as it is served. */
const app = await buildApp()
const address = await app.listen({ host: '127.0.0.1', port: 0 })
const response = await fetch(`${address}/api/2018-10-01/swagger.json`)
console.log(JSON.stringify(await response.json(), null, 2))
await app.close()
