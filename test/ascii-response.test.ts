import t from 'tap'

import { BASE, build } from './build.js'

t.test('every text arrives as its UTF-8, whatever its characters take', async (t) => {
  const names = [
    'ASCII',
    '\u007f',
    'Ångström',
    'é'.repeat(3),
    '日本',
    '\u{1f48e}',
    '\ud800',
    '\ufeff',
  ]
  const items = names.map((name, index) => ({ _id: `m${index}`, name }))
  const app = await build(t, { fixtures: { materials: items } })
  const headers = { 'x-account-id': 'demo', 'x-auth-token': app.store.sessions.open('demo') }
  const url = `${await app.listen({ port: 0 })}${BASE}/materials`
  const cases: [path: string, data: unknown][] = [
    ['', items],
    ['?projection={"fields":{"name":1}}', items],
    ...items.map((item): [string, unknown] => [`/${item._id}`, item]),
  ]
  for (const [path, data] of cases)
    // A kept answer comes from the third time on.
    for (let time = 0; time < 3; time += 1) {
      const response = await fetch(url + path, { headers })
      const body = Buffer.from(await response.arrayBuffer())
      const expected = Buffer.from(JSON.stringify({ status: 'success', data }))
      t.ok(body.equals(expected), path)
      t.equal(response.headers.get('content-length'), String(expected.length), path)
    }
})
