import { execFile } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { isDeepStrictEqual, promisify } from 'node:util'

import { buildApp } from '../../src/server/app.js'
import { NEWEST, PARAMETERS, PATH, USERS } from './expected.js'
import type { Outcome } from './expected.js'

const FOLDER = fileURLToPath(new URL('.', import.meta.url))
const run = promisify(execFile)

/** Runs a program of this folder's packages. */
const runTool = (name: string, ...flags: string[]) =>
  run(`${FOLDER}node_modules/.bin/${name}`, flags, {
    cwd: FOLDER,
    env: { ...process.env, CI: '1' },
  })

const app = await buildApp({ logLevel: 'silent' })
const origin = await app.listen({ host: '127.0.0.1', port: 0 })
rmSync(`${FOLDER}generated`, { recursive: true, force: true })
mkdirSync(`${FOLDER}generated`)
const served = await fetch(`${origin}${PATH}/swagger.json`)
writeFileSync(`${FOLDER}generated/document.json`, await served.text())

await runTool(
  'openapi-typescript',
  'generated/document.json',
  '-o',
  'generated/openapi-typescript.ts',
)
await runTool('openapi-ts')
await runTool('orval')
await runTool('tsc', '--project', '.')

const list = async (parameters: object): Promise<{ readonly name?: string }[]> => {
  const search = new URLSearchParams(
    Object.entries(parameters).map(([name, value]) => [name, String(value)]),
  )
  const headers = { 'X-Account-Id': 'oEb32zJWy27miFESb', 'X-Auth-Token': 'demo-preferences-token' }
  const response = await fetch(`${origin}${PATH}/materials?${search}`, { headers })
  const { data } = (await response.json()) as { data: { readonly name?: string }[] }
  if (data.length !== 2) throw new Error(`${search} finds ${data.length} items, not 2`)
  return data
}

const expected: Outcome = {
  items: await list(PARAMETERS),
  names: (await list(NEWEST)).map(({ name }) => name),
  code: 'QUERY_INVALID',
  missing: 'ITEM_NOT_FOUND',
}

for (const name of USERS) {
  const { tryClient } = (await import(`./uses/${name}.ts`)) as {
    tryClient: (root: string) => Promise<Outcome>
  }
  const outcome = await tryClient(origin + PATH)
  const isRight = isDeepStrictEqual(outcome, expected)
  console.log(`${name}: ${isRight ? 'right' : `wrong: ${JSON.stringify(outcome)}`}`)
  if (!isRight) process.exitCode = 1
}
await app.close()
