import { createRequire } from 'node:module'

import { buildApp } from '../../src/server/app.js'
import { listen } from '../../src/server/listen.js'

/**
 * Runs the collection of mocks with the shipped fixtures, with a small folder of one's own, and with the
 * fixtures of the arguments. Every request has tests, which must pass. With a fault, they must fail.
 */

interface Execution {
  readonly item: { readonly name: string }
  readonly request: { readonly method: string; readonly url: { toString(): string } }
  readonly response?: { readonly code: number; text(): string }
  readonly assertions?: readonly { readonly assertion: string; readonly error?: object }[]
}

interface Newman {
  run(
    options: object,
    done: (error: Error | null, summary: { run: { executions: Execution[] } }) => void,
  ): void
}

const load = createRequire(import.meta.url)
const newman = load('newman') as Newman
const { postmanToBruno } = load('@usebruno/converters') as {
  postmanToBruno(collection: object): Promise<{ collection: { items: readonly object[] } }>
}
const { convert } = load('insomnia-importers') as {
  convert(text: string): Promise<{ data: { resources: readonly { readonly _type: string }[] } }>
}

/** A folder of somebody's own: two resources, of which one is no resource of the platform. */
const OWN = {
  accounts: [{ _id: 'ann', username: 'ann', password: 'secret' }],
  materials: [{ _id: 'm1', name: 'Silicon', formula: 'Si' }],
  things: [{ _id: 't1', name: 'A thing' }],
}

for (const fixtures of [undefined, OWN, ...process.argv.slice(2)]) {
  const options = { logLevel: 'silent', port: 0 } as const
  const app = await buildApp(fixtures === undefined ? options : { ...options, fixtures })
  const url = await listen(app)
  const collection = (await (await fetch(`${url}/api/2018-10-01/postman.json`)).json()) as object
  const {
    collection: { items },
  } = await postmanToBruno(structuredClone(collection))
  const { resources } = (await convert(JSON.stringify(collection))).data
  const imported = resources.filter(({ _type }) => _type === 'request').length
  const runCollection = (): Promise<Execution[]> =>
    new Promise((resolve, reject) =>
      newman.run({ collection }, (error, summary) =>
        error === null ? resolve(summary.run.executions) : reject(error),
      ),
    )
  const executions = await runCollection()
  const failures = executions.filter(hasFailed)
  await fetch(`${url}/__admin/reset`, { method: 'POST' })
  app.controls.faults.add({ path: '/api/*/materials', status: 503 })
  const withFault = (await runCollection()).filter(hasFailed).map(({ item: { name } }) => name)
  await app.close()
  const codes = executions.map(({ response }) => response?.code)
  const counts = [...new Set(codes)]
    .map((code) => `${codes.filter((each) => each === code).length} × ${code}`)
    .join(', ')
  const name = typeof fixtures === 'object' ? 'own fixtures' : (fixtures ?? 'shipped fixtures')
  console.log(
    `${name}: ${executions.length} requests: ${counts}; Bruno imports ${items.length} items, Insomnia ${imported} requests`,
  )
  for (const { item, request, response } of failures) {
    const { method, url: asked } = request
    console.log(`  ${method} ${asked} (${item.name}): ${response?.code} ${response?.text()}`)
  }
  console.log(`  with a fault of the list of materials, these fail: ${withFault.join(', ')}`)
  if (
    failures.length > 0 ||
    withFault.length !== 1 ||
    items.length === 0 ||
    imported !== executions.length
  )
    process.exitCode = 1
}

/** Whether a test of a request has failed, or there is none. */
function hasFailed({ assertions = [] }: Execution): boolean {
  return assertions.length === 0 || assertions.some(({ error }) => error !== undefined)
}
