import { once } from 'node:events'
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'

import t from 'tap'
import type { Test } from 'tap'

import type { Json } from '@materials-mock/json'
import { BASE } from '../helpers/build.js'
import { checkMock, idsOf, startDataSet } from './check-mock.js'
import { SHIPPED } from './data-sets.js'

/** A response of the mock, on its way through a proxy. */
interface Passing {
  readonly status: number
  readonly headers: Record<string, string>
  readonly text: string
}

/** Sends a response. */
type Respond = (response: ServerResponse, passing: Passing) => Promise<void>

/** Changes the JSON text of a response. */
const changeText = (passing: Passing, map: (value: Json) => string): Passing => ({
  ...passing,
  text: passing.text === '' ? '' : map(JSON.parse(passing.text) as Json),
})

/** What a server may do as it likes, or a proxy before it. Each server does several things at once. */
const VARIATIONS: Readonly<Record<string, Respond>> = {
  'another order of keys, escaped characters, other headers in another case, latency': async (
    response,
    passing,
  ) => {
    const { status, headers, text } = changeText(passing, (value) =>
      JSON.stringify(reverseKeys(value)).replace(
        /[\u0080-\uffff]/g,
        (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
      ),
    )
    const type = headers['content-type']?.replace('charset=utf-8', 'Charset="UTF-8"')
    const allow = headers.allow === undefined ? {} : { ALLOW: headers.allow }
    const others = { Server: 'x', 'Set-Cookie': 'a=b', 'X-Request-Id': '1', Vary: 'Origin' }
    await delay(Math.random() * 10)
    response.writeHead(status, { ...others, ...allow, 'CONTENT-TYPE': type }).end(text)
  },
  'white space between tokens, a content type without an encoding, compression': async (
    response,
    passing,
  ) => {
    const { status, headers, text } = changeText(
      passing,
      (value) => ` ${JSON.stringify(value, null, 3)}\r\n`,
    )
    const changed = {
      ...headers,
      'content-type': 'application/json',
      'content-encoding': 'gzip',
    }
    response.writeHead(status, changed).end(gzipSync(text))
  },
  'small chunks': async (response, { status, headers, text }) => {
    const bytes = Buffer.from(text)
    response.writeHead(status, headers)
    for (let start = 0; start < bytes.length; start += 1001) {
      response.write(bytes.subarray(start, start + 1001))
      if (start < 5000) await new Promise((resolve) => setImmediate(resolve))
    }
    response.end()
  },
}

t.test('what a server may do as it likes accuses nobody', async (t) => {
  const mock = await startDataSet(t, SHIPPED)
  const skipped = idsOf(await checkMock(mock, SHIPPED), 'skipped')
  for (const [name, send] of Object.entries(VARIATIONS)) {
    const root = (await startProxy(t, mock.url, send)) + BASE
    const report = await checkMock(mock, SHIPPED, { fetch: globalThis.fetch, root })
    t.same(
      report.statements.filter(({ outcome }) => outcome === 'failed'),
      [],
      name,
    )
    t.same(idsOf(report, 'skipped'), skipped, name)
  }
})

t.test('items that others change while we look accuse nobody', async (t) => {
  const mock = await startDataSet(t, SHIPPED)
  let count = 0
  const report = await checkMock(mock, SHIPPED, {
    fetch: async (url, init) => {
      // Another client adds, changes and deletes items; now and then one of those that we look at.
      count += 1
      if (count % 3 === 0) {
        const copy = await write(mock.fetch, 'POST', 'Sn3d5kpCPF5tAYZH2/copy', {})
        const { _id } = ((await copy.json()) as { data: { _id: string } }).data
        // A statement is tried twice, so that an item among the first ones may come only once meanwhile.
        if (/^\d/.test(_id) && count % 60 !== 0) await write(mock.fetch, 'DELETE', _id)
      }
      if (count % 40 === 10) {
        const { data } = (await (await write(mock.fetch, 'GET', '')).json()) as {
          data: { _id: string }[]
        }
        await write(mock.fetch, 'PATCH', data[count % data.length]?._id ?? '', {
          description: `${count}`,
        })
      }
      return mock.fetch(url, init)
    },
  })
  t.same(
    report.statements.filter(({ outcome }) => outcome === 'failed'),
    [],
  )
  t.ok((mock.app.store.collections.get('materials')?.size ?? 0) > 100, 'items were added')
})

const write = (
  fetch: (url: string, init: RequestInit) => Promise<Response>,
  method: string,
  path: string,
  body?: object,
): Promise<Response> =>
  fetch(`${BASE}/materials${path === '' ? '' : `/${path}`}`, {
    method,
    headers: {
      'X-Account-Id': 'oEb32zJWy27miFESb',
      'X-Auth-Token': 'demo-preferences-token',
      ...(body && { 'Content-Type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  })

function reverseKeys(value: Json): Json {
  if (Array.isArray(value)) return value.map(reverseKeys)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).toReversed()
  return Object.fromEntries(entries.map(([key, each]) => [key, reverseKeys(each as Json)]))
}

/** Starts a proxy before a mock. Returns its URL. */
async function startProxy(t: Test, target: string, send: Respond): Promise<string> {
  const forward = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const { host: _host, connection: _connection, ...headers } = request.headers
    const { method = 'GET', url = '' } = request
    const answer = await fetch(target + url, {
      method,
      headers: headers as Record<string, string>,
      ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
    })
    const { 'content-length': _length, ...others } = Object.fromEntries(answer.headers)
    await send(response, { status: answer.status, headers: others, text: await answer.text() })
  }
  const server = createServer((request, response) => {
    forward(request, response).catch((error: Error) => response.destroy(error))
  }).listen(0, '127.0.0.1')
  t.teardown(() => {
    server.close()
    server.closeAllConnections()
  })
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
