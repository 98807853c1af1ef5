import { execFile } from 'node:child_process'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'

import t from 'tap'

import { footprint } from '../../src/cli/footprint.js'
import { startMock } from '../../src/mock/start-mock.js'
import { COMMAND } from '../helpers/command.js'

const run = promisify(execFile)

const FIXTURES = {
  accounts: [{ _id: 'ann', username: 'ann', password: 'x', tokens: ['ann-token'] }],
  materials: [{ _id: 'm1', formula: 'Si' }],
}

t.test('the command writes what clients of a mock or of a sandbox have relied on', async (t) => {
  const mock = await startMock({ fixtures: FIXTURES, port: 0 })
  t.teardown(() => mock.close())
  await fetch(`${mock.url}/__admin/sandboxes/ann`, { method: 'PUT' })
  const headers = { 'x-account-id': 'ann', 'x-auth-token': 'ann-token' }
  await fetch(`${mock.url}/api/2018-10-01/materials/m1`, { headers })
  await fetch(`${mock.url}/sandboxes/ann/api/2018-10-01/materials?limit=1`, { headers })
  for (const [url, path] of [
    [mock.url, '/materials/{id}'],
    [`${mock.url}/`, '/materials/{id}'],
    [`${mock.url}/sandboxes/ann`, '/materials'],
  ] as const) {
    const { stdout } = await run(process.execPath, [COMMAND, 'footprint', url])
    const { requests, uses } = JSON.parse(stdout)
    t.equal(requests, 1, url)
    t.match(uses, [{ method: 'GET', path, count: 1, statuses: [200] }], url)
    t.equal(uses.length, 1)
  }
})

t.test('what is no mock is refused by name', async (t) => {
  for (const [url, message] of [
    [undefined, /^give a mock; URL is missing/],
    ['localhost:4000', /^URL must be that of a mock such as .*, not "localhost:4000"$/],
    ['http://127.0.0.1:4000/?a=b', /^URL must be that of a mock/],
    ['file:///etc/passwd', /^URL must be that of a mock/],
  ] as const) {
    t.throws(() => footprint.parse({ URL: url }, {}, undefined), {
      code: 'OPTIONS_INVALID',
      message,
    })
  }

  let body = ''
  const server = createServer((_, response) => response.end(body)).listen(0, '127.0.0.1')
  t.teardown(() => server.close())
  await new Promise((resolve) => server.once('listening', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  for (const other of ['<html>', '{}', '{"status":"success","data":{"uses":1}}']) {
    body = other
    await t.rejects(footprint.run({ url }), {
      code: 'DEPLOYMENT_UNUSABLE',
      message: `${url}/__admin/footprint answers 200; it must be a mock`,
    })
  }
  await t.rejects(footprint.run({ url: 'http://127.0.0.1:1' }), {
    code: 'DEPLOYMENT_UNUSABLE',
    message: /^no answer from http:\/\/127\.0\.0\.1:1: /,
  })
})
