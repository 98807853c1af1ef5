import { startMock } from 'materials-mock'
import { http } from 'msw'
import { setupServer } from 'msw/node'
import { afterAll, beforeAll, expect, test } from 'vitest'

const mock = await startMock()
const server = setupServer(
  http.all('https://platform.example.org/*', ({ request }) => mock.fetch(request)),
)

beforeAll(() => server.listen({ onUnhandledRequest: 'error' }))
afterAll(async () => {
  server.close()
  await mock.close()
})

test('requests to the platform reach the mock', async () => {
  const response = await fetch('https://platform.example.org/api/2018-10-01/login', {
    method: 'POST',
    body: new URLSearchParams({ username: 'demo', password: 'demo' }),
  })
  expect(await response.json()).toEqual({
    'X-Account-Id': 'oEb32zJWy27miFESb',
    'X-Auth-Token': expect.any(String),
  })
})
