import { EventEmitter, once } from 'node:events'
import type { Socket } from 'node:net'

import t from 'tap'

import { BASE, build, waitFor } from '../helpers/build.js'

t.test('every text is sent as UTF-8, whatever its characters are', async (t) => {
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
  for (const [path, data] of cases) {
    // From the third time on, the response is cached.
    for (let count = 0; count < 3; count += 1) {
      const response = await fetch(url + path, { headers })
      const body = Buffer.from(await response.arrayBuffer())
      const expected = Buffer.from(JSON.stringify({ status: 'success', data }))
      t.ok(body.equals(expected), path)
      t.equal(response.headers.get('content-length'), String(expected.length), path)
    }
  }
})

t.test('a response is not overwritten while it waits to be sent', async (t) => {
  const items = ['a', 'b'].map((_id) => ({ _id, text: _id.repeat(1000) }))
  const app = await build(t, { fixtures: { materials: items } })
  const url = await app.listen({ port: 0 })
  const headers = { 'x-account-id': 'demo', 'x-auth-token': app.store.sessions.open('demo') }
  const get = async (id: string) =>
    (await fetch(`${url}${BASE}/materials/${id}`, { headers })).text()
  const connected = once(app.server, 'connection') as Promise<[Socket]>

  const slowResponse = get('a')
  const [socket] = await connected
  const gate = new EventEmitter()
  const isOpen = once(gate, 'open')
  const writev = socket._writev?.bind(socket)
  socket._writev = (chunks, done) => void isOpen.then(() => writev?.(chunks, done))
  await waitFor(() => app.controls.journal.size === 1)
  for (let count = 0; count < 3; count += 1)
    t.equal(await get('b'), JSON.stringify({ status: 'success', data: items[1] }))
  gate.emit('open')
  t.equal(await slowResponse, JSON.stringify({ status: 'success', data: items[0] }))
})

t.test('the journal keeps the lists that were sent', async (t) => {
  const items = ['a', 'b'].map((_id) => ({ _id, text: _id.repeat(5000) }))
  const app = await build(t, { fixtures: { materials: items } })
  const url = await app.listen({ port: 0 })
  const headers = { 'x-account-id': 'demo', 'x-auth-token': app.store.sessions.open('demo') }
  for (const { _id } of items)
    await (await fetch(`${url}${BASE}/materials/${_id}`, { headers })).text()
  await (await fetch(`${url}${BASE}/materials`, { headers })).text()
  const { data } = (await (await fetch(`${url}/__admin/requests`)).json()) as {
    data: { response: object }[]
  }
  const sent = [items, items[1], items[0]].map((each) => ({ status: 'success', data: each }))
  t.match(
    data.map(({ response }) => response),
    sent.map((body) => ({ bodyState: 'complete', size: JSON.stringify(body).length, body })),
  )
})

const ids = (length: number): string[] => Array.from({ length }, (_, index) => `m${index}`)

t.test('a list is sent, recorded and changed by faults, whatever its size', async (t) => {
  for (const [text, sizes] of [
    ['a'.repeat(200), [60, 499]], // short texts, of which many are copied
    ['a'.repeat(1000), [3, 31, 32, 499]], // around 32 KiB, at which a body is no longer copied
    ['é'.repeat(4000), [1, 64, 65, 66]], // around 512 KiB, at which it is no longer written at once
  ] as const) {
    const materials = ids(500).map((_id) => ({ _id, text }))
    const app = await build(t, { fixtures: { materials } })
    const url = await app.listen({ port: 0 })
    const headers = { 'x-account-id': 'demo', 'x-auth-token': app.store.sessions.open('demo') }
    for (const size of sizes) {
      const path = `${url}${BASE}/materials?projection={"limit":${size}}`
      const data = materials.slice(0, size)
      const expected = JSON.stringify({ status: 'success', data })
      const length = String(Buffer.byteLength(expected))
      const response = await fetch(path, { headers })
      t.equal(response.headers.get('content-length'), length)
      t.equal(await response.text(), expected)
      const head = await fetch(path, { headers, method: 'HEAD' })
      t.equal(head.headers.get('content-length'), length)
      t.equal((await app.inject({ url: path.slice(url.length), headers })).payload, expected)
      for (const outcome of [
        { patch: { more: true } },
        { method: 'HEAD', patch: { data: ids(1), more: true } },
        { bandwidth: 1e9 },
        { drop: 'truncate' },
      ]) {
        const rule = { method: 'GET', path: `${BASE}/materials`, times: 1, ...outcome }
        await fetch(`${url}/__admin/faults`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(rule),
        })
        const faulty = await fetch(path, { headers, method: rule.method })
        if (rule.method === 'HEAD') {
          const patched = JSON.stringify({ status: 'success', ...outcome.patch })
          t.equal(faulty.headers.get('content-length'), String(Buffer.byteLength(patched)))
        } else if (outcome.drop === 'truncate') {
          t.equal(faulty.headers.get('content-length'), length)
          await t.rejects(faulty.text())
        } else {
          t.same(await faulty.json(), { status: 'success', data, ...outcome.patch })
        }
      }
    }
    const { data } = (await (await fetch(`${url}/__admin/requests`)).json()) as {
      data: { method: string; response: { size: number } }[]
    }
    const sent = JSON.stringify({ status: 'success', data: materials.slice(0, sizes.at(-1)) })
    t.equal(data[0]?.response.size, Buffer.byteLength(sent), 'as a whole, although half is sent')
    t.equal(data.length, sizes.length * 7)
  }
})
