import { createRequire } from 'node:module'

import { Ajv } from 'ajv'
import type { FastifyInstance } from 'fastify'
import t from 'tap'

import { BASE, build, send } from '../../helpers/build.js'

const FIXTURES = {
  accounts: [{ _id: 'ann', username: 'ann', password: 'secret', tokens: ['ann-token'] }],
  materials: [{ _id: 'm1', formula: 'Si' }],
  notes: [{ _id: 'n1', text: 'ä'.repeat(40_000) }],
}
const ANN = { 'x-account-id': 'ann', 'x-auth-token': 'ann-token' }
const JSON_BODY = { 'content-type': 'application/json' }

interface Entry {
  readonly startedDateTime: string
  readonly time: number
  readonly timings: Readonly<Record<string, number>>
  readonly request: { readonly [name: string]: unknown; readonly headers: object[] }
  readonly response: { readonly [name: string]: unknown; readonly content: { text?: string } }
  readonly comment?: string
}

interface Archive {
  readonly log: {
    readonly creator: object
    readonly comment: string
    readonly entries: readonly Entry[]
  }
}

/** The schemas that were made for HAR 1.2 (https://github.com/ahmadnassri/har-schema). */
function compileHarSchema(): (value: unknown) => string {
  const require = createRequire(import.meta.url)
  const ajv = new Ajv({ strict: false, validateFormats: false })
  ajv.addMetaSchema(require('ajv/dist/refs/json-schema-draft-06.json') as object)
  const { har, ...parts } = require('har-schema') as Record<string, object>
  for (const part of Object.values(parts)) ajv.addSchema(part)
  const validate = ajv.compile(har as object)
  return (value) => (validate(value) ? '' : ajv.errorsText(validate.errors))
}

const checkSchema = compileHarSchema()

async function readHar(app: FastifyInstance, search = '', prefix = ''): Promise<Archive['log']> {
  const response = await app.inject(`${prefix}/__admin/requests.har${search}`)
  t.equal(response.statusCode, 200)
  const archive = response.json<Archive>()
  t.equal(checkSchema(archive), '', 'as the schema of HAR 1.2 says')
  return archive.log
}

t.test('the schema refuses what is no HAR', async (t) => {
  t.match(checkSchema({ log: { version: '1.2', entries: [] } }), /creator/)
})

t.test('the journal is exported as a HTTP Archive, the oldest request first', async (t) => {
  const app = await build(t, { fixtures: FIXTURES })
  await send(app, '/login', {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: 'username=ann&password=secret',
  })
  await send(app, '/materials?query={"formula":"Si"}&projection={"limit":2}', { headers: ANN })
  const payload = JSON.stringify({ name: 'ångström' })
  await send(app, '/materials/create', {
    method: 'PUT',
    headers: { ...ANN, ...JSON_BODY },
    payload,
  })
  const { creator, comment, entries } = await readHar(app)
  t.match(creator, { name: 'materials-mock', version: /^\d+\.\d+\.\d+/ })
  t.equal(comment, 'Secrets are masked.')
  const [login, list, create] = entries
  t.match(login, {
    request: {
      method: 'POST',
      url: `http://localhost${BASE}/login`,
      postData: {
        mimeType: 'application/x-www-form-urlencoded',
        text: 'username=ann&password=***',
      },
      bodySize: 28,
    },
    response: { status: 200, content: { text: /"X-Auth-Token":"\*\*\*"/ } },
  })
  t.notMatch(JSON.stringify(entries), /ann-token|secret/)
  t.match(list, {
    startedDateTime: /^\d{4}-\d\d-\d\dT[\d:.]+Z$/,
    _resourceType: 'fetch',
    request: {
      method: 'GET',
      httpVersion: 'HTTP/1.1',
      queryString: [
        { name: 'query', value: '{"formula":"Si"}' },
        { name: 'projection', value: '{"limit":2}' },
      ],
      bodySize: 0,
    },
    response: {
      status: 200,
      statusText: 'OK',
      content: {
        size: 57,
        mimeType: 'application/json; charset=utf-8',
        text: '{"status":"success","data":[{"_id":"m1","formula":"Si"}]}',
      },
    },
  })
  t.notOk(list?.request['postData'])
  const sent = list?.request.headers.find(
    (each) => (each as { name: string }).name === 'x-auth-token',
  )
  t.same(sent, { name: 'x-auth-token', value: '***' })
  const unknown = { blocked: -1, dns: -1, connect: -1, ssl: -1 }
  t.same(list?.timings, { ...unknown, send: 0, wait: list?.time, receive: 0 })
  t.match(create, {
    request: { postData: { text: payload }, bodySize: Buffer.byteLength(payload) },
  })
})

t.test('a query selects, and a sandbox has its own', async (t) => {
  const app = await build(t, { fixtures: FIXTURES })
  await send(app, '/materials', { headers: ANN })
  await send(app, '/materials/m9', { headers: ANN })
  const { entries } = await readHar(app, '?query={"status":404}')
  t.match(entries, [{ response: { status: 404, statusText: 'Not Found' } }])
  t.equal(entries.length, 1)
  await app.inject({ method: 'PUT', url: '/__admin/sandboxes/s1' })
  await app.inject({ url: `/sandboxes/s1${BASE}/materials`, headers: ANN })
  t.match((await readHar(app, '', '/sandboxes/s1')).entries, [
    { request: { url: `http://localhost/sandboxes/s1${BASE}/materials` } },
  ])
  const wrong = await app.inject('/__admin/requests.har?query={"x":1}')
  t.match(wrong.json(), { data: { code: 'QUERY_INVALID' } })
})

t.test('comments say what the journal does not have', async (t) => {
  const app = await build(t, { fixtures: FIXTURES, journal: 4, journalBody: 65_536 })
  await send(app, '/materials', { headers: ANN })
  await send(app, '/notes/n1', { headers: ANN })
  const payload = JSON.stringify({ text: 'x'.repeat(70_000) })
  await send(app, '/notes/n1', { method: 'PATCH', headers: { ...ANN, ...JSON_BODY }, payload })
  app.controls.faults.add({ drop: 'reset', times: 1 })
  await t.rejects(send(app, '/materials', { headers: ANN }))
  app.controls.faults.add({ status: 503, times: 1 })
  await send(app, '/materials', { headers: ANN })
  const { comment, entries } = await readHar(app)
  t.equal(comment, 'Secrets are masked. The journal has only the last 4 requests (--journal)')
  t.match(entries, [
    {
      response: {
        bodySize: 80_050,
        content: { size: 80_050 },
        comment: 'The journal has the first 65536 of 80050 bytes; --journal-body keeps more',
      },
    },
    {
      request: {
        postData: {
          text: '',
          comment:
            'The journal has no text of it: {"tooLong":"more than 65536 bytes; --journal-body keeps more"}',
        },
        bodySize: payload.length,
      },
    },
    { response: { status: 0, comment: 'There was no response' }, comment: /^fault .*"drop"/ },
    { response: { status: 503 }, comment: /^fault .*"status":503/ },
  ])
})
