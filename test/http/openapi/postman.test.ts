import { Ajv } from 'ajv'
import t from 'tap'

import { BASE, build, logIn } from '../../helpers/build.js'

interface Item {
  readonly name: string
  readonly item?: readonly Item[]
  readonly event?: readonly { readonly script: { readonly exec: readonly string[] } }[]
  readonly request?: {
    readonly method: string
    readonly header: readonly { readonly key: string; readonly value: string }[]
    readonly url: { readonly raw: string; readonly query?: readonly { disabled?: boolean }[] }
    readonly body?: { readonly raw?: string; readonly urlencoded?: readonly object[] }
  }
}

const listRequests = (items: readonly Item[]): Item[] =>
  items.flatMap(({ item, ...each }) => (item === undefined ? [each] : listRequests(item)))

t.test('the collection has a request for each operation, with credentials and ids', async (t) => {
  const app = await build(t)
  const { info, item, variable } = (await app.inject(`${BASE}/postman.json`)).json()
  t.match(info, { schema: /collection\/v2\.1\.0/ })
  const requests = listRequests(item)
  t.equal(requests[0]?.request?.url.raw, '{{url}}/api/2018-10-01/login')
  t.equal(requests.at(-1)?.request?.url.raw, '{{url}}/api/2018-10-01/logout')
  const variables = Object.fromEntries(
    variable.map(({ key, value }: { key: string; value: string }) => [key, value]),
  )
  t.match(variables, {
    url: 'http://localhost:80',
    accountId: 'oEb32zJWy27miFESb',
    token: 'demo-preferences-token',
  })
  const headers = await logIn(app, 'demo', 'demo')
  const found = await app.inject({ url: `${BASE}/materials/${variables.materials}`, headers })
  t.equal(found.statusCode, 200, 'the id is that of an item')
  const { paths } = (await app.inject(`${BASE}/swagger.json`)).json()
  const documented = Object.entries<Record<string, { security?: unknown[] }>>(paths).flatMap(
    ([path, operations]) => Object.keys(operations).map((method) => `${method} ${path}`),
  )
  // A bank may have no default item, and one logout is enough.
  t.equal(requests.length, documented.length - 3)
  for (const { name, request } of requests) {
    const { header = [], url, method } = request ?? {}
    const keys = new Set(header.map(({ key }) => key))
    const isOpen = /login|oidc|entity-counts|swagger|postman/.test(url?.raw ?? '')
    t.equal(keys.has('X-Auth-Token') && keys.has('X-Account-Id'), !isOpen, name)
    t.notOk(keys.has('Prefer'), name)
    const isMove = url?.raw.includes('/move-to-set') === true
    const enabled = url?.query?.filter(({ disabled }) => disabled !== true) ?? []
    t.equal(enabled.length, isMove ? 1 : 0, `${method} ${name}: optional parameters are disabled`)
  }
})

t.test('each request tests its status and its envelope', async (t) => {
  const app = await build(t)
  const { item } = (await app.inject(`${BASE}/postman.json`)).json()
  for (const { name, request, event } of listRequests(item)) {
    const run = (status: number, body: object): string[] => {
      const failed: string[] = []
      const pm = {
        response: {
          to: { have: { status: (expected: number) => assertEqual(status, expected) } },
          json: () => body,
        },
        expect: (value: unknown) => ({
          to: {
            eql: (other: unknown) => assertEqual(value, other),
            be: { a: (type: string) => assertEqual(typeof value, type) },
          },
        }),
        test: (title: string, check: () => void) => {
          try {
            check()
          } catch {
            failed.push(title)
          }
        },
        collectionVariables: { set: () => undefined },
      }
      new Function('pm', event?.[0]?.script.exec.join('\n') ?? '')(pm)
      return failed
    }
    const hasEnvelope = !/\/login$|\/oidc\/|\.json$/.test(request?.url.raw ?? '')
    t.same(
      run(200, { status: 'success', data: {}, 'X-Auth-Token': 'x' }),
      request?.url.raw.endsWith('/login') ? ['It has a token'] : [],
      name,
    )
    t.same(
      run(200, { data: { 'X-Auth-Token': 'x' } }),
      hasEnvelope ? ['It is a success'] : [],
      name,
    )
    t.same(
      run(503, { status: 'success', data: { 'X-Auth-Token': 'x' } }),
      ['The status is 200'],
      name,
    )
  }
})

function assertEqual(found: unknown, expected: unknown): void {
  if (found !== expected) throw new Error(`${String(found)} is not ${String(expected)}`)
}

const TEXT = { type: 'string' }

const toPairs = (more: object = {}): object => ({
  type: 'array',
  items: {
    type: 'object',
    required: ['key'],
    additionalProperties: false,
    properties: {
      key: TEXT,
      value: TEXT,
      description: TEXT,
      disabled: { type: 'boolean' },
      ...more,
    },
  },
})

const toObject = (required: readonly string[], properties: object): object => ({
  type: 'object',
  required,
  properties,
  additionalProperties: false,
})

/**
 * The parts of Postman's collection schema 2.1.0 (draft 7, github.com/postmanlabs/schemas) that the collection
 * uses, with its requirements, and without any other property.
 */
const COLLECTION = {
  ...toObject(['info', 'item'], {
    info: toObject(['name', 'schema'], { name: TEXT, description: TEXT, schema: TEXT }),
    item: { $ref: '#/$defs/items' },
    variable: toPairs(),
  }),
  $defs: {
    items: {
      type: 'array',
      items: { oneOf: [{ $ref: '#/$defs/item' }, { $ref: '#/$defs/folder' }] },
    },
    folder: toObject(['item'], { name: TEXT, item: { $ref: '#/$defs/items' } }),
    item: toObject(['request'], {
      name: TEXT,
      event: {
        type: 'array',
        items: toObject(['listen'], {
          listen: { enum: ['test', 'prerequest'] },
          script: toObject([], { type: TEXT, exec: { type: 'array', items: TEXT } }),
        }),
      },
      request: toObject([], {
        method: { enum: ['GET', 'PUT', 'POST', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'] },
        description: TEXT,
        header: toPairs(),
        url: toObject([], {
          raw: TEXT,
          host: { type: 'array', items: TEXT },
          path: { type: 'array', items: TEXT },
          query: toPairs(),
        }),
        body: toObject([], {
          mode: { enum: ['raw', 'urlencoded'] },
          raw: TEXT,
          urlencoded: toPairs(),
          options: { type: 'object' },
        }),
      }),
    }),
  },
}

t.test('the collection has the form that Postman defines', async (t) => {
  const validate = new Ajv({ strict: false, allErrors: true }).compile(COLLECTION)
  for (const fixtures of [undefined, { materials: [] }]) {
    const app = await build(t, fixtures && { fixtures })
    t.ok(
      validate((await app.inject(`${BASE}/postman.json`)).json()),
      String(validate.errors?.[0]?.message),
    )
  }
  t.notOk(validate({ info: { name: 'x' }, item: [] }), 'a schema is required')
})

t.test('without items, requests by id use what is made before', async (t) => {
  const accounts = [{ _id: 'ann', username: 'ann', password: 'x' }]
  const app = await build(t, { fixtures: { accounts, materials: [], 'bank-materials': [] } })
  const { item, variable } = (await app.inject(`${BASE}/postman.json`)).json()
  const urls = listRequests(item).map(({ request }) => request?.url.raw ?? '')
  t.ok(urls.includes('{{url}}/api/2018-10-01/materials/{{materials_created}}'))
  t.notOk(urls.some((url) => url.includes('/bank-materials/')))
  t.match(variable, [
    { key: 'url' },
    { key: 'accountId', value: 'ann' },
    { key: 'token', value: '' },
  ])
})
