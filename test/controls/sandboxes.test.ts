import fc from 'fast-check'
import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify'
import t from 'tap'

import { MAX_SANDBOXES } from '../../src/controls/sandboxes/sandboxes.js'
import { BASE, build } from '../helpers/build.js'

const FIXTURES = {
  accounts: [{ _id: 'ann', username: 'ann', password: 'x', tokens: ['ann-token'] }],
  materials: [
    { _id: 'm1', name: 'one', formula: 'Si', owner: { _id: 'ann' } },
    { _id: 'm2', name: 'two', formula: 'Ge', isDefault: true, owner: { _id: 'ann' } },
  ],
  notes: [{ _id: 'n1', text: 'one' }],
  jobs: [{ _id: 'j1', status: 'pre-submission', _material: { _id: 'm1' }, owner: { _id: 'ann' } }],
}
const TOKEN = { 'x-account-id': 'ann', 'x-auth-token': 'ann-token' }
const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

/** A function that sends requests in one sandbox, or outside of all. */
type Send = (
  method: string,
  url: string,
  options?: Pick<InjectOptions, 'headers' | 'payload'>,
) => Promise<LightMyRequestResponse>

const byPath =
  (app: FastifyInstance, name: string): Send =>
  (method, url, options) =>
    app.inject({ method: method as 'GET', url: `/sandboxes/${name}${url}`, ...options })

const byHeader =
  (app: FastifyInstance, name: string): Send =>
  (method, url, options) =>
    app.inject({
      method: method as 'GET',
      url,
      ...options,
      headers: { ...options?.headers, 'x-mock-sandbox': name },
    })

const outside =
  (app: FastifyInstance): Send =>
  (method, url, options) =>
    app.inject({ method: method as 'GET', url, ...options })

const codeOf = (response: LightMyRequestResponse): unknown => response.json().data.code

t.test('sandboxes are made, listed and ended, from outside and from within', async (t) => {
  const app = await build(t, { fixtures: FIXTURES })
  const send = outside(app)
  const ann = { name: 'ann', url: 'http://localhost:80/sandboxes/ann' }
  const bob = { name: 'b-o_b.1', url: 'http://localhost:80/sandboxes/b-o_b.1' }
  t.same((await send('GET', '/__admin/sandboxes')).json().data, [])
  t.same((await send('PUT', '/__admin/sandboxes/b-o_b.1')).json().data, bob)
  t.same((await byHeader(app, 'ann')('PUT', '/__admin/sandboxes/ann')).json().data, ann)
  t.same((await byPath(app, 'ann')('GET', '/__admin/sandboxes')).json().data, [ann, bob])
  t.same((await byPath(app, 'ann')('DELETE', '/__admin/sandboxes/b-o_b.1')).json().data, {})
  const missing = await send('DELETE', '/__admin/sandboxes/b-o_b.1')
  t.same([missing.statusCode, codeOf(missing)], [404, 'SANDBOX_NOT_FOUND'])
  for (const name of ['..%2f', 'a%20b', 'x'.repeat(101)]) {
    const refused = await send('PUT', `/__admin/sandboxes/${name}`)
    t.same([refused.statusCode, codeOf(refused)], [400, 'PARAMETER_INVALID'], name)
  }
})

t.test('a request names its sandbox by the path or the header', async (t) => {
  const app = await build(t, { fixtures: FIXTURES })
  app.sandboxes.make('ann').store.getCollection('notes').insert({ _id: 'n2' })
  app.sandboxes.make('bob')
  const cases: [url: string, header: string | undefined, status: number, result: unknown][] = [
    ['/__admin/health', undefined, 200, 1],
    ['/__admin/health', 'ann', 200, 2],
    ['/sandboxes/ann/__admin/health', undefined, 200, 2],
    ['/sandboxes/ann/__admin/health/', 'ann', 200, 2],
    ['http://localhost:80/sandboxes/ann/__admin/health', undefined, 200, 2],
    ['/sandboxes/bob/__admin/health?', undefined, 200, 1],
    ['/sandboxes/ann/__admin/health', 'bob', 400, 'REQUEST_MALFORMED'],
    ['/sandboxes/eve/__admin/health', 'bob', 400, 'REQUEST_MALFORMED'],
    ['/__admin/health', 'eve', 404, 'SANDBOX_NOT_FOUND'],
    ['/__admin/health', '', 404, 'SANDBOX_NOT_FOUND'],
    ['/__admin/health', 'ann, bob', 404, 'SANDBOX_NOT_FOUND'],
    ['/sandboxes/eve/__admin/health', undefined, 404, 'SANDBOX_NOT_FOUND'],
    ['/sandboxes/eve/api/2018-10-01/notes', undefined, 404, 'SANDBOX_NOT_FOUND'],
    ['/sandboxes/eve', undefined, 404, 'SANDBOX_NOT_FOUND'],
    ['/sandboxes/ann/explorer', undefined, 404, 'ROUTE_NOT_FOUND'],
    ['/sandboxes/ann/apis', undefined, 404, 'ROUTE_NOT_FOUND'],
    ['/sandboxes/ann/sandboxes/bob/__admin/health', undefined, 404, 'ROUTE_NOT_FOUND'],
    ['/sandboxes/', undefined, 404, 'ROUTE_NOT_FOUND'],
  ]
  for (const [url, header, status, result] of cases) {
    const headers = header === undefined ? {} : { 'x-mock-sandbox': header }
    const response = await app.inject({ url, headers })
    t.equal(response.statusCode, status, `${url} ${header}`)
    const { data } = response.json()
    t.equal(data.code ?? data.resources.notes, result, `${url} ${header}`)
  }
  const page = await app.inject({ url: '/sandboxes/ann' })
  t.match(page, { statusCode: 302, headers: { location: '/?sandbox=ann' } })
  const wrong = await app.inject({
    url: '/sandboxes/ann/__admin/health',
    headers: { 'x-mock-sandbox': 'bob' },
  })
  t.equal(
    wrong.json().message,
    'X-Mock-Sandbox is "bob", but the path is in the sandbox "ann"; give one of them',
  )
})

t.test('a page can read the error of an unknown sandbox, and no journal has it', async (t) => {
  const app = await build(t, { fixtures: FIXTURES })
  app.sandboxes.make('ann')
  const page = { origin: 'http://localhost:3000' }
  const preflight = {
    ...page,
    'access-control-request-method': 'GET',
    'access-control-request-headers': 'x-account-id, x-mock-sandbox',
  }
  const url = `${BASE}/notes`
  const unknown = await byHeader(app, 'eve')('GET', url, { headers: page })
  t.equal(unknown.headers['access-control-allow-origin'], page.origin)
  t.equal(codeOf(unknown), 'SANDBOX_NOT_FOUND')
  const allowed = await outside(app)('OPTIONS', url, { headers: preflight })
  t.match(allowed.headers['access-control-allow-headers'], /\bx-mock-sandbox\b/)
  t.equal(app.controls.journal.size, 0, 'the preflight does not say in which sandbox it is')
  await byPath(app, 'ann')('OPTIONS', url, { headers: preflight })
  t.equal(app.sandboxes.get('ann').journal.size, 1, 'this one does')
  t.equal(app.controls.journal.size, 0)
})

t.test('there are at most 1,000 sandboxes, and making one shares all items', async (t) => {
  const materials = Array.from({ length: 5000 }, (_, index) => ({ _id: `m${index}` }))
  const app = await build(t, { fixtures: { materials } })
  const { entries } = app.store.getCollection('materials')
  for (let count = 0; count < MAX_SANDBOXES; count += 1) {
    const { store } = app.sandboxes.make(`s${count}`)
    if (store.getCollection('materials').entries !== entries) t.fail('the items are shared')
  }
  const refused = await outside(app)('PUT', '/__admin/sandboxes/more')
  t.equal(refused.statusCode, 400)
  t.match(refused.json(), {
    message: 'there must be at most 1000 sandboxes; end some with DELETE /__admin/sandboxes/{name}',
    data: { code: 'BOUND_EXCEEDED' },
  })
  t.equal((await outside(app)('PUT', '/__admin/sandboxes/s0')).statusCode, 200, 'one is replaced')
  await outside(app)('DELETE', '/__admin/sandboxes/s1')
  t.equal((await outside(app)('PUT', '/__admin/sandboxes/more')).statusCode, 200)
})

t.test('tokens, grants and signatures of one sandbox are of no use in another', async (t) => {
  const app = await build(t, { fixtures: FIXTURES })
  for (const name of ['ann', 'bob']) app.sandboxes.make(name)
  const [inAnn, inBob, none] = [byHeader(app, 'ann'), byPath(app, 'bob'), outside(app)]

  const payload = 'username=ann&password=x'
  const session = (await inAnn('POST', `${BASE}/login`, { headers: FORM, payload })).json()
  for (const [send, status] of [
    [inAnn, 200],
    [inBob, 401],
    [none, 401],
  ] as const)
    t.equal((await send('GET', `${BASE}/notes`, { headers: session })).statusCode, status)

  const device = 'client_id=cli'
  const asked = await inAnn('POST', '/oidc/device/auth', { headers: FORM, payload: device })
  const { device_code: code, verification_uri: page } = asked.json()
  t.equal(page, 'http://localhost:80/sandboxes/ann/oidc/device')
  t.equal((await app.inject(page)).statusCode, 200)
  const grant = new URLSearchParams({
    grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
    device_code: code,
    client_id: 'cli',
  }).toString()
  for (const [send, status] of [
    [inBob, 400],
    [none, 400],
    [inAnn, 200],
  ] as const) {
    const response = await send('POST', '/oidc/token', { headers: FORM, payload: grant })
    t.equal(response.statusCode, status, response.payload)
  }

  const names = { names: ['a.txt'], operation: 'putObject' }
  const signed = await inAnn('POST', `${BASE}/files/signed-urls`, {
    headers: { ...TOKEN, 'content-type': 'application/json' },
    payload: JSON.stringify(names),
  })
  const { signedUrl } = signed.json().data[0] as { signedUrl: string }
  t.match(signedUrl, 'http://localhost:80/sandboxes/ann/storage/ann/a.txt?')
  const put = (url: string) => app.inject({ method: 'PUT', url, payload: 'text' })
  t.equal((await put(signedUrl)).statusCode, 200)
  t.equal((await put(signedUrl.replace('ann', 'bob'))).statusCode, 403)
  t.equal((await put(signedUrl.replace('/sandboxes/ann', ''))).statusCode, 403)
  const upload = await inAnn('POST', `${BASE}/jobs/j1/presigned-urls`, {
    headers: { ...TOKEN, 'content-type': 'application/json' },
    payload: JSON.stringify({ files: ['out.txt'] }),
  })
  t.equal((await put(upload.json().data.presignedURLs[0].URL)).statusCode, 200)
  const files = (await inBob('GET', `${BASE}/jobs/j1/files`, { headers: TOKEN })).json().data
  t.same(files, [])
  const [file] = (await inAnn('GET', `${BASE}/jobs/j1/files`, { headers: TOKEN })).json().data
  t.equal((await app.inject(file.signedUrl)).payload, 'text')

  const document = (await inAnn('GET', `${BASE}/swagger.json`)).json()
  t.equal(document.servers[0].url, `http://localhost:80/sandboxes/ann${BASE}`)
})

/** The state of one world during a run of random requests. */
interface World {
  readonly send: Send
  /** The headers of the last session that was opened. */
  credentials: Record<string, string>
  /** The form that redeems the last grant, and the last signed URL that the world was given. */
  grant: string
  signedUrl: string
  /** The ids of materials, and of all items that were created. */
  readonly ids: string[]
  readonly transcript: string[]
}

const createWorld = (send: Send): World => ({
  send,
  credentials: TOKEN,
  grant: 'grant_type=refresh_token&client_id=cli&refresh_token=none',
  signedUrl: '/storage/none',
  ids: ['m1', 'm2'],
  transcript: [],
})

const oneOf = <T>(...values: T[]) => fc.constantFrom(...values)
const parameter = (query: unknown): string => `?query=${encodeURIComponent(JSON.stringify(query))}`

/** A request: its method, its path, its body. `{id}` stands for the id of a material. */
type Verb = readonly [method: string, url: string, body?: unknown]

const verb: fc.Arbitrary<Verb> = fc.oneof(
  {
    weight: 3,
    arbitrary: oneOf<Verb>(
      ['PUT', `${BASE}/materials/create`, { name: 'new' }],
      ['PUT', `${BASE}/notes/create`, { text: 'new' }],
      ['PATCH', `${BASE}/materials/{id}`, { name: 'changed' }],
      ['PATCH', `${BASE}/materials/{id}`, { $push: { tags: 't' }, $inc: { n: 1 } }],
      ['DELETE', `${BASE}/materials/{id}`],
      ['POST', `${BASE}/materials/{id}/copy`],
      ['POST', `${BASE}/materials/{id}/set-default`],
      ['POST', `${BASE}/jobs/j1/submit`],
    ),
  },
  oneOf<Verb>(
    ['GET', `${BASE}/materials`],
    ['GET', `${BASE}/materials/{id}`],
    ['GET', `${BASE}/materials${parameter({ name: { $in: ['new', 'changed'] } })}`],
    ['GET', `${BASE}/jobs`],
    ['GET', `${BASE}/properties`],
    ['GET', `${BASE}/other/entity-counts`],
    ['GET', `${BASE}/nothing`],
  ),
  oneOf<Verb>(
    ['POST', `${BASE}/login`, 'username=ann&password=x'],
    ['GET', `${BASE}/logout`],
    ['POST', `${BASE}/files`, { name: 'a.txt', body: 'text' }],
    ['POST', `${BASE}/files/signed-urls`, { names: ['a.txt'] }],
    ['GET', 'signed'],
  ),
  oneOf<Verb>(['POST', '/oidc/device/auth', 'client_id=cli'], ['POST', '/oidc/token', 'grant']),
  oneOf<Verb>(
    ['POST', '/__admin/faults', { path: '/api/**', status: 503, times: 2 }],
    ['POST', '/__admin/faults', { method: 'GET', status: 418, times: 1, after: 1 }],
    ['GET', '/__admin/faults'],
    ['DELETE', '/__admin/faults'],
    ['PUT', '/__admin/snapshots/s'],
    ['POST', '/__admin/snapshots/s/restore'],
    ['DELETE', '/__admin/snapshots/s'],
    ['GET', '/__admin/snapshots'],
    ['GET', '/__admin/requests'],
    ['GET', `/__admin/requests/count${parameter({ status: 503 })}`],
    ['DELETE', '/__admin/requests'],
    ['GET', `/__admin/requests/verify${parameter({ status: 503 })}&count=1`],
    ['GET', '/__admin/fixtures'],
    ['PUT', '/__admin/fixtures/notes', [{ _id: 'n9' }]],
    ['POST', '/__admin/seed', { materials: [{ formula: 'Si' }] }],
    ['GET', `/__admin/explain/materials/m1${parameter({ name: 'changed' })}`],
    ['POST', '/__admin/reset'],
  ),
)

/** Sends one request in a world, remembers what it was given, and writes the transcript. */
async function perform(
  world: World,
  [method, template, body]: Verb,
  choice: number,
): Promise<void> {
  const id = world.ids[choice % world.ids.length] as string
  const url = template === 'signed' ? world.signedUrl : template.replace('{id}', id)
  const isForm = typeof body === 'string'
  const response = await world.send(method, url, {
    headers: {
      ...(url.startsWith('/api') && world.credentials),
      ...(body !== undefined && (isForm ? FORM : { 'content-type': 'application/json' })),
    },
    ...(body !== undefined && {
      payload: body === 'grant' ? world.grant : isForm ? body : JSON.stringify(body),
    }),
  })
  remember(world, response)
  world.transcript.push(`${method} ${template} ${response.statusCode} ${response.payload}`)
}

function remember(world: World, { payload }: LightMyRequestResponse): void {
  const find = (pattern: RegExp): string | undefined => pattern.exec(payload)?.[1]
  const token = find(/"X-Auth-Token":"([^"]+)"/)
  if (token !== undefined) world.credentials = { ...TOKEN, 'x-auth-token': token }
  const bearer = find(/"access_token":"([^"]+)"/)
  if (bearer !== undefined) world.credentials = { authorization: `Bearer ${bearer}` }
  const [kind, code] = /(?<=")(refresh_token|device_code)":"([^"]+)"/.exec(payload)?.slice(1) ?? []
  if (kind !== undefined) {
    const type = kind === 'device_code' ? `urn:ietf:params:oauth:grant-type:${kind}` : kind
    world.grant = `grant_type=${type}&client_id=cli&${kind}=${code}`
  }
  world.signedUrl = find(/"signedUrl":"http:..[^/]+(?:.sandboxes.\w+)?([^"]+)"/) ?? world.signedUrl
  const id = find(/^{"status":"success","data":{"_id":"(\w{17})"/)
  if (id !== undefined) world.ids.push(id)
}

/** The body of a failed request in the journal, which is there only once it has been read. */
const UNREAD_BODY =
  /"body":(?:null|\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\}|\[[^\]]*\]|"(?:[^"\\]|\\.)*"),"status":(?=[45])/g

/** Replaces what differs between two servers: times, and random ids and tokens by their numbers. */
function normalise(transcript: readonly string[]): string[] {
  const numbers = new Map<string, number>()
  const toNumber = (text: string): string => {
    if (!numbers.has(text)) numbers.set(text, numbers.size)
    return `#${numbers.get(text)}`
  }
  return transcript.map((line) =>
    line
      .replace(UNREAD_BODY, '"status":')
      .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z|\w{3}, \d\d \w{3} \d{4} [\d:]{8} GMT/g, 'time')
      .replace(/"(ms|uptime|lastModified|trackedAt|jid|size)":"?[\d.]+/g, '"$1":0')
      .replace(/"x-mock-sandbox":"\w+",|,"x-mock-sandbox":"\w+"|\/sandboxes\/\w+/g, '')
      .replace(/"user_code":"[^"]+"|user_code=[\w-]+/g, 'code')
      .replace(
        /(?<="(?:_id|rule)":")\d+(?=")|(?<!\d)\d{12}(?!\d)|[\w-]{43}|\b[2-9A-HJ-NP-Za-km-z]{17}\b/g,
        toNumber,
      ),
  )
}

/** Brings a server back to its start, so that it is a world that nothing has been done in. */
function restart(app: FastifyInstance): void {
  app.controls.reset()
  app.store.snapshots.replaceAll(new Map())
}

/** What a world shows that nothing has been done in. */
const LOOK: readonly Verb[] = [
  ['GET', '/__admin/fixtures'],
  ['GET', '/__admin/requests'],
  ['GET', '/__admin/faults'],
  ['GET', '/__admin/snapshots'],
  ['GET', `${BASE}/materials`],
]

/** Steps that make a request fail, whatever else is drawn. */
const FAILING: [Verb, number][] = [
  [['POST', '/__admin/faults', { path: '/api/**', status: 503, times: 2 }], 0],
  [['GET', `${BASE}/materials`], 0],
]

/** Steps that sign in, whatever else is drawn. */
const SIGN_IN: [Verb, number][] = [
  [['POST', '/oidc/device/auth', 'client_id=cli'], 0],
  [['POST', '/oidc/token', 'grant'], 0],
]

t.test('nothing that is done in a sandbox is seen in another one or outside', async (t) => {
  const options = { fixtures: FIXTURES, jobDuration: 0, logLevel: 'silent' } as const
  const app = await build(t, options)
  const reference = await build(t, options)
  const statuses = new Set<number>()
  let signIns = 0

  /** Returns the transcript of the same requests to a server to which nobody else sends any. */
  async function runAlone(steps: readonly (readonly [Verb, number])[]): Promise<string[]> {
    restart(reference)
    const world = createWorld(outside(reference))
    for (const [each, choice] of steps) await perform(world, each, choice)
    return world.transcript
  }

  const steps = fc.array(fc.tuple(verb, fc.nat(20)), { maxLength: 25 })
  await fc.assert(
    fc.asyncProperty(steps, steps, steps, async (...all) => {
      restart(app)
      for (const name of ['ann', 'bob', 'quiet'])
        await outside(app)('PUT', `/__admin/sandboxes/${name}`)
      const sends = [outside(app), byHeader(app, 'ann'), byPath(app, 'bob'), byPath(app, 'quiet')]
      const quiet = LOOK.map((each) => [each, 0] as const)
      const worlds = sends.map((send, index) => ({
        world: createWorld(send),
        steps: all[index]?.concat(LOOK.map((each) => [each, 0])) ?? quiet,
      }))
      // The last world is looked at after all others, which are at work at the same time.
      const run = async ({ world, steps: own }: (typeof worlds)[number]): Promise<void> => {
        for (const [each, choice] of own) await perform(world, each, choice)
      }
      await Promise.all(worlds.slice(0, 3).map(run))
      await run(worlds[3] as (typeof worlds)[number])
      for (const { world, steps: own } of worlds) {
        const [seen, expected] = [world.transcript, await runAlone(own)].map(normalise)
        for (const [index, line] of expected?.entries() ?? []) {
          statuses.add(Number(/ (\d{3}) /.exec(line)?.[1]))
          if (line.startsWith('POST /oidc/token 200')) signIns += 1
          if (seen?.[index] !== line)
            throw new Error(`a sandbox has\n${seen?.[index]}\na server of its own has\n${line}`)
        }
      }
    }),
    { numRuns: 40, examples: [[FAILING, SIGN_IN, FAILING]] },
  )
  for (const status of [200, 404, 503]) t.ok(statuses.has(status), `some answers are ${status}`)
  t.ok(signIns > 0, 'some have signed in with /oidc')
})
