import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { http } from 'msw'
import { setupServer } from 'msw/node'
import t from 'tap'

import { startMock } from '../../src/mock/start-mock.js'
import { findBlock } from '../../test/docs/blocks.js'
import { BASE } from '../../test/helpers/build.js'

const FIXTURES = {
  accounts: [{ _id: 'ann', username: 'ann', password: 'x' }],
  materials: [
    { _id: 'm1', name: 'one' },
    { _id: 'm2', name: 'two' },
  ],
}

t.test('a mock can serve the requests of an MSW handler', async (t) => {
  const mock = await startMock({ fixtures: FIXTURES, logLevel: 'silent' })
  t.teardown(() => mock.close())
  const server = setupServer(
    http.all('https://platform.example.org/*', ({ request }) => mock.fetch(request)),
  )
  server.listen({ onUnhandledRequest: 'error' })
  t.teardown(() => server.close())
  const base = `https://platform.example.org${BASE}`
  const login = await fetch(`${base}/login`, {
    method: 'POST',
    body: new URLSearchParams({ username: 'ann', password: 'x' }),
  })
  const session = (await login.json()) as Record<string, string>
  t.match(session, { 'X-Account-Id': 'ann', 'X-Auth-Token': String })
  const materials = await fetch(`${base}/materials?query=${encodeURIComponent('{"name":"two"}')}`, {
    headers: session,
  })
  t.match(await materials.json(), { data: [{ _id: 'm2' }] })
  t.equal((await fetch(`${base}/materials/m9`, { headers: session })).status, 404)

  const { code } = findBlock('docs/testing.md', 'http.all')
  server.use(new Function('http', 'mock', `return ${code}`)(http, mock))
  mock.faults.add({ drop: 'reset', times: 1 })
  await t.rejects(fetch(`${base}/materials`), TypeError, 'a dropped connection')
  t.equal((await fetch(`${base}/materials`)).status, 401)
})

t.test('the official client of MCP finds six tools with short descriptions', async (t) => {
  const mock = await startMock({ fixtures: FIXTURES, logLevel: 'silent' })
  t.teardown(() => mock.close())
  for (const sandbox of ['', mock.sandbox('one').url.slice(mock.url.length)]) {
    const client = new Client({ name: 'test', version: '1.0.0' })
    const transport = new StreamableHTTPClientTransport(
      new URL(`${mock.url}${sandbox}/__admin/mcp`),
    )
    await client.connect(transport as Parameters<typeof client.connect>[0])
    t.match(client.getServerVersion(), { name: 'materials-mock', version: /^\d+\.\d+\.\d+$/ })
    await client.ping()
    const { tools } = await client.listTools()
    t.same(
      tools.map(({ name }) => name),
      ['list_items', 'explain_item', 'list_requests', 'add_fault', 'reset', 'advance_clock'],
    )
    t.ok(JSON.stringify(tools).length <= 6000, `${JSON.stringify(tools).length} characters`)
    const { content } = await client.callTool({
      name: 'list_items',
      arguments: { resource: 'materials', query: { name: 'two' } },
    })
    const [{ text }] = content as [{ text: string }]
    t.match(JSON.parse(text), { matched: 1, items: [{ _id: 'm2' }] })
    await client.close()
  }
})
