import { startMock } from 'materials-mock'
import { http } from 'msw'
import { setupServer } from 'msw/node'
import { expect, test } from 'vitest'

test('behind MSW', async () => {
  const mock = await startMock()
  const server = setupServer(
    http.all('https://platform.example.org/*', ({ request }) => mock.fetch(request)),
  )
  server.listen({ onUnhandledRequest: 'bypass' })
  try {
    const base = 'https://platform.example.org/api/2018-10-01'
    const body = new URLSearchParams({ username: 'demo', password: 'demo' })
    const login = await fetch(`${base}/login`, { method: 'POST', body })
    const query = new URLSearchParams({ query: '{"formula":"Si"}' })
    const list = await fetch(`${base}/materials?${query}`, { headers: await login.json() })
    const { data } = (await list.json()) as { data: { formula: string }[] }
    expect(new Set(data.map(({ formula }) => formula))).toEqual(new Set(['Si']))
    expect((await fetch(`${mock.url}/api/2018-10-01/materials`)).status).toBe(401)
  } finally {
    server.close()
    await mock.close()
  }
})
