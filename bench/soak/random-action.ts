import type { Random } from '@materials-mock/structures'
import type { OutgoingRequest } from '../clients/send-request.js'
import { choose, chooseInteger, chooseWeighted } from './choose.js'
import { createBytes } from './random-bytes.js'
import type { BytesAction } from './random-bytes.js'
import { createControl } from './random-control.js'
import { createProjection, createQuery, createValue } from './random-query.js'

/** The `_id`s of items that exist, or existed, by resource. */
export type KnownIds = ReadonlyMap<string, readonly string[]>

/** What a client does next: a request, or bytes on a connection of their own. */
export type Action =
  | { readonly kind: 'request'; readonly request: OutgoingRequest; readonly resource?: string }
  | BytesAction

/** The path of the API. */
const API = '/api/2018-10-01'

const RESOURCES = ['materials', 'jobs', 'projects', 'workflows']

const CREDENTIALS = [
  { 'x-account-id': 'oEb32zJWy27miFESb', 'x-auth-token': 'demo-preferences-token' },
  { 'x-account-id': 'KjiACYnoRFYYCjmhB', 'x-auth-token': 'lab-preferences-token' },
]

const JSON_TYPE = { 'content-type': 'application/json' }

/** Returns a random action: any verb on any route, with valid and with invalid input. */
export function createAction(random: Random, ids: KnownIds): Action {
  return chooseWeighted<() => Action>(random, [
    [40, () => createRead(random, ids)],
    [30, () => createWrite(random, ids)],
    [6, () => createSession(random)],
    [12, () => ({ kind: 'request', request: createControl(random) })],
    [4, () => createStray(random, ids)],
    [8, () => createBytes(random)],
  ])()
}

function createRead(random: Random, ids: KnownIds): Action {
  const resource = choose(random, RESOURCES)
  const id = chooseId(random, ids, resource)
  const path = chooseWeighted<() => string>(random, [
    [6, () => `/${resource}?${createParameters(random)}`],
    [3, () => `/${resource}/${id}`],
    [1, () => `/jobs/${chooseId(random, ids, 'jobs')}/files`],
    [0.2, () => '/swagger.json'],
  ])()
  return toRequest(random, random() < 0.1 ? 'HEAD' : 'GET', path)
}

function createParameters(random: Random): URLSearchParams {
  const parameters = new URLSearchParams()
  if (random() < 0.7) parameters.set('query', JSON.stringify(createQuery(random)))
  if (random() < 0.7) parameters.set('projection', JSON.stringify(createProjection(random)))
  if (random() < 0.03) parameters.append('query', '{"a": ')
  return parameters
}

function createWrite(random: Random, ids: KnownIds): Action {
  const resource = choose(random, RESOURCES)
  const id = chooseId(random, ids, resource)
  const [method, path, body] = chooseWeighted<() => [string, string, unknown?]>(random, [
    [6, () => ['PUT', `/${resource}/create`, createItem(random)]],
    [8, () => ['PATCH', `/${resource}/${id}`, createPatch(random)]],
    [3, () => ['DELETE', `/${resource}/${id}`]],
    [3, () => ['POST', `/${resource}/${id}/copy`]],
    [2, () => ['POST', `/${resource}/${id}/set-default`]],
    [1, () => ['PUT', `/${resource}/create-set`, { name: createValue(random) }]],
    [
      2,
      () => ['POST', `/${resource}/${id}/move-to-set?newSetId=${chooseId(random, ids, resource)}`],
    ],
    [2, () => ['POST', '/materials/import', createImport(random)]],
    [2, () => ['POST', `/jobs/${chooseId(random, ids, 'jobs')}/submit`]],
  ])()
  return toRequest(random, method, path, body, resource)
}

const createItem = (random: Random): unknown => ({
  name: random() < 0.9 ? `soak ${chooseInteger(random, 1000)}` : createValue(random),
  ...(random() < 0.3 && { tags: ['soak', choose(random, ['a', 'b', 'c'])] }),
  ...(random() < 0.1 && { isDefault: true }),
  ...(random() < 0.1 && { owner: createValue(random) }),
  ...(random() < 0.2 && { data: createValue(random, 3) }),
  ...(random() < 0.05 && { large: 'x'.repeat(chooseInteger(random, 200_000)) }),
})

const createPatch = (random: Random): unknown =>
  chooseWeighted<() => unknown>(random, [
    [3, () => ({ name: `soak ${chooseInteger(random, 1000)}` })],
    [
      2,
      () => ({
        $set: { [choose(random, ['a.b', 'tags', 'owner', 'isDefault'])]: createValue(random) },
      }),
    ],
    [1, () => ({ $unset: { [choose(random, ['a', 'owner', 'name', 'lattice'])]: '' } })],
    [2, () => ({ $push: { tags: { $each: ['x', 'a'], $sort: 1, $slice: -5 } } })],
    [1, () => ({ $pull: { tags: { $regex: choose(random, ['^a', '(.*)*x', '[']) } } })],
    [1, () => ({ $addToSet: { tags: createValue(random) } })],
    [1, () => ({ $inc: { count: choose(random, [1, -1, 1e308, 'x']) } })],
    [1, () => createValue(random)],
  ])()

const createImport = (random: Random): unknown => ({
  name: `imported ${chooseInteger(random, 100)}`,
  format: 'poscar',
  content: [
    'soak',
    choose(random, ['1.0', '0', '-10', 'x']),
    '3.3 0.0 1.9',
    '1.1 3.1 1.9',
    '0.0 0.0 3.8',
    choose(random, ['Si', 'Si', 'Xx']),
    '1',
    choose(random, ['direct', 'cartesian', '']),
    choose(random, ['0 0 0', '0.25 0.25 0.25', '1e300 0 0', '0 0']),
  ].join('\n'),
})

const createSession = (random: Random): Action => {
  const isLogin = random() < 0.7
  const body = choose(random, [
    'username=demo&password=demo',
    'username=lab&password=no',
    'x=1',
    '',
  ])
  const headers = isLogin
    ? { 'content-type': 'application/x-www-form-urlencoded' }
    : { 'x-account-id': 'oEb32zJWy27miFESb', 'x-auth-token': 'no-such-token' }
  const request = { method: 'POST', path: `${API}/${isLogin ? 'login' : 'logout'}`, headers }
  return { kind: 'request', request: { ...request, ...(isLogin && { body }) } }
}

/** Returns a request that no route is for: another path, method, content type or version. */
const createStray = (random: Random, ids: KnownIds): Action =>
  chooseWeighted<() => Action>(random, [
    [
      1,
      () => toRequest(random, choose(random, ['TRACE', 'OPTIONS', 'PURGE', 'POST']), '/materials'),
    ],
    [
      1,
      () =>
        toRequest(
          random,
          'GET',
          choose(random, ['/nothing', '/materials/%ff', '/materials//x', '/../x']),
        ),
    ],
    [
      1,
      () =>
        toRequest(
          random,
          'PATCH',
          `/materials/${chooseId(random, ids, 'materials')}`,
          '{"a": [1, 2',
        ),
    ],
    [
      1,
      () => ({
        kind: 'request',
        request: {
          method: 'GET',
          path: choose(random, ['/', '/explorer', '/api/1', '/__admin/x']),
        },
      }),
    ],
    [
      1,
      () => ({
        kind: 'request',
        request: {
          method: 'PUT',
          path: `${API}/materials/create`,
          headers: {
            ...CREDENTIALS[0],
            'content-type': choose(random, ['text/plain', 'a', 'application/xml']),
          },
          body: 'x'.repeat(chooseInteger(random, 2_000_000)),
        },
      }),
    ],
  ])()

function toRequest(
  random: Random,
  method: string,
  path: string,
  body?: unknown,
  resource?: string,
): Action {
  const text =
    body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body)
  const headers = {
    ...(random() < 0.97 && choose(random, CREDENTIALS)),
    ...(text !== undefined && JSON_TYPE),
    ...(random() < 0.02 && {
      prefer: choose(random, ['code=503', 'delay=20', 'code=x', 'code=500, delay=5']),
    }),
    ...(random() < 0.02 && { origin: 'http://localhost:3000' }),
  }
  const request = { method, path: API + path, headers, ...(text !== undefined && { body: text }) }
  return { kind: 'request', request, ...(resource !== undefined && { resource }) }
}

const chooseId = (random: Random, ids: KnownIds, resource: string): string =>
  choose(random, random() < 0.95 ? (ids.get(resource) ?? ['none']) : ['none', 'a%20b', '%00'])
