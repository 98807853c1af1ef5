import type { JsonObject } from '@materials-mock/json'
import {
  isItem,
  isList,
  isLogin,
  isLogout,
  lastSegment,
  mapJson,
  onError,
  onRequest,
  onResponse,
  onStatus,
  onSuccess,
  readJson,
  respond,
} from './broken-server.js'
import type { Change, ProxyRequest, Send } from './broken-server.js'
import { READ_BREAKAGES } from './read-breakages.js'

/** One thing that a server does wrong. */
export interface Breakage {
  readonly name: string
  /** The statement that must fail. */
  readonly statement: string
  /** The data set whose values show it (default: the shipped fixtures). */
  readonly dataSet?: string
  /** Makes the change. It may keep state: a new one is made for each check. */
  readonly create: () => Change
}

const breakage = (statement: string, name: string, create: () => Change): Breakage => ({
  statement,
  name,
  create,
})

const ADMIN = { 'X-Account-Id': 'oEb32zJWy27miFESb', 'X-Auth-Token': 'demo-preferences-token' }
const isAnything = (): boolean => true
const withHeaders = (request: ProxyRequest, headers: Record<string, string>): ProxyRequest => ({
  ...request,
  headers: { ...request.headers, ...headers },
})
const body = (request: ProxyRequest): JsonObject => JSON.parse(request.body ?? '{}')
const isCreate = (request: ProxyRequest): boolean => lastSegment(request) === 'create'

/** Runs a change on some requests only. */
const when =
  (
    isOne: (request: ProxyRequest) => boolean,
    change: (request: ProxyRequest, send: Send) => Promise<Response>,
  ): (() => Change) =>
  () =>
  (request, send) =>
    isOne(request) ? change(request, send) : send(request)

const LOGIN: readonly Breakage[] = [
  breakage('login.two-fields-alone', 'wraps the login in the envelope', () =>
    onSuccess(isLogin, (json) => ({ status: 'success', data: json })),
  ),
  breakage('login.two-fields-alone', 'adds a field to the login', () =>
    onSuccess(isLogin, (json) => ({ ...json, userId: 'x' })),
  ),
  breakage('login.two-fields-alone', 'names the fields of the login otherwise', () =>
    onSuccess(isLogin, ({ 'X-Account-Id': userId = '', 'X-Auth-Token': authToken = '' }) => ({
      userId,
      authToken,
    })),
  ),
  breakage('login.status', 'answers a login with 201', () =>
    onResponse(isLogin, (response) =>
      response.ok ? mapJson(response, (json) => json, 201) : response,
    ),
  ),
  breakage('login.content-type', 'calls the answer to a login HTML', () =>
    onResponse(isLogin, async (response) =>
      respond(await response.json(), response.status, 'text/html'),
    ),
  ),
  breakage(
    'login.credentials-work',
    'gives credentials that do not work, but for the first',
    () => {
      let count = 0
      return onSuccess(isLogin, (json) =>
        (count += 1) > 1 ? { ...json, 'X-Auth-Token': `no ${count}` } : json,
      )
    },
  ),
  breakage(
    'login.wrong-password',
    'accepts any password',
    when(isLogin, (request, send) =>
      send({
        ...request,
        ...(request.body?.includes('&password=') === true && {
          body: 'username=demo&password=demo',
        }),
      }),
    ),
  ),
  breakage('login.wrong-password-401', 'answers a wrong password with 400', () =>
    onResponse(isLogin, (response) =>
      response.status === 401 ? mapJson(response, (json) => json, 400) : response,
    ),
  ),
  breakage('login.error-structure', 'refuses a login with a bare message', () =>
    onResponse(isLogin, (response) =>
      response.status === 401 ? respond({ error: 'no' }, 401) : response,
    ),
  ),
  breakage(
    'login.unknown-user',
    'tells that a user is unknown',
    when(isLogin, async (request, send) => {
      const response = await send(request)
      if (response.status !== 401 || request.body?.includes('nobody') !== true) return response
      return mapJson(response, (json) => ({ ...json, message: 'no such user' }))
    }),
  ),
  breakage('login.session-of-its-own', 'gives the same session to each login', () => {
    let first: JsonObject | undefined
    return onSuccess(isLogin, (json) => (first ??= json))
  }),
  breakage('login.password-missing', 'takes a missing password for a wrong one', () =>
    onResponse(isLogin, (response) =>
      response.status === 400 ? mapJson(response, (json) => json, 401) : response,
    ),
  ),
  breakage('login.json-body', 'answers a login in JSON with 400', () => onStatus(415, 400)),
]

const AUTH: readonly Breakage[] = [
  breakage('auth.list-none', 'needs no credentials', () =>
    onRequest((request) =>
      isList(request) && request.headers['X-Auth-Token'] === undefined
        ? withHeaders(request, ADMIN)
        : request,
    ),
  ),
  breakage('auth.list-account-id-alone', 'needs no token', () =>
    onRequest((request) =>
      request.headers['X-Account-Id'] !== undefined && request.headers['X-Auth-Token'] === undefined
        ? withHeaders(request, ADMIN)
        : request,
    ),
  ),
  breakage('auth.list-token-alone', 'needs no account id', () =>
    onRequest((request) =>
      request.headers['X-Auth-Token'] !== undefined
        ? withHeaders(request, { 'X-Account-Id': ADMIN['X-Account-Id'] })
        : request,
    ),
  ),
  breakage('auth.wrong-account-id', 'does not compare the account id', () =>
    onRequest((request) =>
      request.headers['X-Account-Id'] === 'not-an-account'
        ? withHeaders(request, { 'X-Account-Id': ADMIN['X-Account-Id'] })
        : request,
    ),
  ),
  breakage('auth.wrong-token', 'takes any token', () =>
    onRequest((request) =>
      request.headers['X-Auth-Token'] === 'not-a-token' ? withHeaders(request, ADMIN) : request,
    ),
  ),
  breakage('auth.empty-token', 'takes an empty token', () =>
    onRequest((request) =>
      request.headers['X-Auth-Token'] === '' ? withHeaders(request, ADMIN) : request,
    ),
  ),
  breakage('auth.list-account-id-alone', 'needs no token for an item', () =>
    onRequest((request) =>
      isItem(request) && request.headers['X-Auth-Token'] === undefined
        ? withHeaders(request, ADMIN)
        : request,
    ),
  ),
  breakage('auth.wrong-token', 'takes any token for an item', () =>
    onRequest((request) => (isItem(request) ? withHeaders(request, ADMIN) : request)),
  ),
  breakage('auth.item-none', 'protects no item', () =>
    onRequest((request) =>
      isItem(request) && request.headers['X-Auth-Token'] === undefined
        ? withHeaders(request, ADMIN)
        : request,
    ),
  ),
  breakage(
    'auth.logout-none',
    'protects no logout',
    when(
      (request) => isLogout(request) && request.headers['X-Auth-Token'] === undefined,
      async () => respond({ status: 'success', data: {} }),
    ),
  ),
  breakage('auth.code', 'refuses credentials with 403', () => onStatus(401, 403)),
  breakage('auth.wrong-token-code', 'has another code for credentials', () =>
    onError(({ data, ...json }) => ({
      ...json,
      data: { ...(data as JsonObject), code: 'UNAUTHORIZED' },
    })),
  ),
  breakage(
    'auth.list-both',
    'answers everything with 401',
    when(
      (request) => !isLogin(request),
      async () =>
        respond(
          { status: 'error', message: 'no', data: { message: 'no', code: 'CREDENTIALS_REJECTED' } },
          401,
        ),
    ),
  ),
]

const ENVELOPE: readonly Breakage[] = [
  breakage('envelope.list', 'sends a list alone', () => onSuccess(isList, ({ data }) => data)),
  breakage('envelope.item', 'sends an item alone', () => onSuccess(isItem, ({ data }) => data)),
  breakage('envelope.list', 'calls a success "ok"', () =>
    onSuccess(isList, (json) => ({ ...json, status: 'ok' })),
  ),
  breakage('envelope.list', 'puts a list into data.items', () =>
    onSuccess(isList, ({ data, ...json }) => ({ ...json, data: { items: data } })),
  ),
  breakage('envelope.item', 'puts an item into a list', () =>
    onSuccess(isItem, ({ data, ...json }) => ({ ...json, data: [data] })),
  ),
  breakage('envelope.status', 'answers with 206', () =>
    onResponse(
      (request) => isList(request) || isItem(request),
      (response) =>
        response.ok
          ? new Response(response.body, { status: 206, headers: response.headers })
          : response,
    ),
  ),
  breakage('envelope.content-type', 'calls JSON text', () =>
    onResponse(
      isAnything,
      async (response) =>
        new Response((await response.text()) || null, {
          status: response.status,
          headers: { 'content-type': 'text/plain' },
        }),
    ),
  ),
  breakage('envelope.content-type', 'names another encoding', () =>
    onResponse(
      isAnything,
      async (response) =>
        new Response((await response.text()) || null, {
          status: response.status,
          headers: { 'content-type': 'application/json; charset=latin1' },
        }),
    ),
  ),
  breakage('envelope.nothing-else', 'adds totals to lists', () =>
    onSuccess(isList, (json) => ({ ...json, meta: { total: 1 } })),
  ),
  breakage('envelope.error', 'calls an error "fail"', () =>
    onError((json) => ({ ...json, status: 'fail' })),
  ),
  breakage('envelope.error', 'sends errors without a message', () =>
    onError(({ status = '', data }) => ({ status, data: { code: (data as JsonObject).code } })),
  ),
  breakage('envelope.error-content-type', 'sends pages of HTML for errors', () =>
    onResponse(isAnything, (response) =>
      response.status >= 400
        ? new Response('<html></html>', {
            status: response.status,
            headers: { 'content-type': 'text/html' },
          })
        : response,
    ),
  ),
  breakage('paths.item-missing', 'sends errors as successes', () => onError((json) => json, 200)),
  breakage('envelope.error-message', 'leaves out data.message', () =>
    onError(({ data, ...json }) => ({ ...json, data: { code: (data as JsonObject).code } })),
  ),
  breakage('envelope.error-code', 'leaves out data.code', () =>
    onError(({ data, ...json }) => ({ ...json, data: { message: (data as JsonObject).message } })),
  ),
  breakage('envelope.error-data', 'adds a field to errors', () =>
    onError((json) => ({ ...json, time: 1 })),
  ),
  breakage('envelope.error-internals', 'shows stacks', () =>
    onError(({ data, ...json }) => ({
      ...json,
      data: { ...(data as JsonObject), stack: 'Error\n    at f (/srv/app.js:1:2)' },
    })),
  ),
  breakage('envelope.error-details', 'tells one of several errors', () =>
    onError(({ data, ...json }) => ({
      ...json,
      data: { message: (data as JsonObject).message, code: (data as JsonObject).code },
    })),
  ),
]

const LOGOUT: readonly Breakage[] = [
  breakage(
    'logout.ends-credentials',
    'ends nothing at a logout',
    when(isLogout, async () => respond({ status: 'success', data: {} })),
  ),
  breakage('logout.ends-items', 'sends items by their _id after a logout', () =>
    onRequest((request) => (isItem(request) ? withHeaders(request, ADMIN) : request)),
  ),
  breakage('logout.ends-no-others', 'ends the later sessions too', () => {
    const ended = new Set<string>()
    let open: string[] = []
    return async (request, send) => {
      const token = request.headers['X-Auth-Token'] ?? ''
      if (isLogout(request)) for (const each of open) ended.add(each)
      if (isLogout(request) || ended.has(token)) open = []
      if (ended.has(token)) return send(withHeaders(request, { 'X-Auth-Token': 'ended' }))
      const response = await send(request)
      if (isLogin(request) && response.ok)
        open.push(String((await readJson(response))['X-Auth-Token']))
      return response
    }
  }),
  breakage('logout.message', 'has another message for a logout', () =>
    onSuccess(isLogout, (json) => ({ ...json, data: { message: 'bye' } })),
  ),
  breakage('logout.success', 'answers a logout without the envelope', () =>
    onSuccess(isLogout, () => ({ message: 'bye' })),
  ),
  breakage(
    'logout.post',
    'has no POST /logout',
    when(
      (request) => isLogout(request) && request.method === 'POST',
      async () => respond({ status: 'error', message: 'no', data: {} }, 404),
    ),
  ),
  breakage('logout.twice', 'answers a second logout with success', () =>
    onResponse(isLogout, () => respond({ status: 'success', data: {} })),
  ),
]

const WRITE: readonly Breakage[] = [
  breakage('write.create', 'answers a creation without _id', () =>
    onSuccess(isCreate, ({ data, ...json }) => ({
      ...json,
      data: { ...(data as JsonObject), _id: null },
    })),
  ),
  breakage(
    'write.create',
    'has no creation',
    when(isCreate, async () => respond({ status: 'error', message: 'no', data: {} }, 404)),
  ),
  breakage(
    'write.create',
    'drops the tags of a new item',
    when(isCreate, (request, send) =>
      send({ ...request, body: JSON.stringify({ ...body(request), tags: [] }) }),
    ),
  ),
  breakage('write.create-stores', 'answers a creation with another item than it stores', () =>
    onSuccess(isCreate, ({ data, ...json }) => ({
      ...json,
      data: { ...(data as JsonObject), extra: 1 },
    })),
  ),
  breakage('write.create-ids', 'gives every new item the same id', () => {
    let first: unknown
    return onSuccess(isCreate, ({ data, ...json }) => ({
      ...json,
      data: { ...(data as JsonObject), _id: (first ??= (data as JsonObject)._id) },
    }))
  }),
  breakage('write.create-none', 'creates for everybody', () =>
    onRequest((request) =>
      isCreate(request) && request.headers['X-Auth-Token'] === undefined
        ? withHeaders(request, ADMIN)
        : request,
    ),
  ),
  breakage('write.create-owner', 'gives a new item to nobody', () =>
    onSuccess(isCreate, ({ data, ...json }) => ({
      ...json,
      data: { ...(data as JsonObject), owner: null },
    })),
  ),
  breakage('write.create-defaults', 'leaves out the times of a new item', () =>
    onSuccess(isCreate, ({ data, ...json }) => ({
      ...json,
      data: { ...(data as JsonObject), createdAt: null },
    })),
  ),
  breakage(
    'write.keeps-values',
    'rounds numbers',
    when(isCreate, (request, send) =>
      send({ ...request, body: (request.body ?? '').replace('0.1,', '0.1000001,') }),
    ),
  ),
  breakage(
    'write.keeps-values',
    'drops null',
    when(isCreate, (request, send) =>
      send({ ...request, body: (request.body ?? '').replace('"nothing":null,', '') }),
    ),
  ),
  breakage(
    'write.keeps-values',
    'mangles other alphabets',
    when(isCreate, (request, send) =>
      send({ ...request, body: (request.body ?? '').replace(/\P{ASCII}/gu, '?') }),
    ),
  ),
  breakage(
    'write.patch',
    'ignores a PATCH',
    when(
      ({ method }) => method === 'PATCH',
      (request, send) =>
        send({ ...request, method: 'GET', headers: { ...ADMIN } }).then(
          async (response) => response,
        ),
    ),
  ),
  breakage('write.patch', 'answers a PATCH with nothing', () =>
    onSuccess(
      ({ method }) => method === 'PATCH',
      (json) => ({ ...json, data: {} }),
    ),
  ),
  breakage(
    'write.patch-keeps',
    'drops metadata at a PATCH',
    when(
      ({ method }) => method === 'PATCH',
      (request, send) =>
        send({ ...request, body: JSON.stringify({ ...body(request), metadata: {} }) }),
    ),
  ),
  breakage(
    'write.patch-dotted',
    'takes a dotted path for the whole field',
    when(
      ({ method }) => method === 'PATCH',
      (request, send) =>
        send({
          ...request,
          body: (request.body ?? '').replace('"metadata.b.c":3', '"metadata":{"c":3}'),
        }),
    ),
  ),
  breakage(
    'write.patch-operators',
    'ignores $push',
    when(
      ({ method }) => method === 'PATCH',
      (request, send) =>
        send({ ...request, body: (request.body ?? '').replace(',"$push":{"tags":"pushed"}', '') }),
    ),
  ),
  breakage(
    'write.delete',
    'ignores a DELETE',
    when(
      ({ method }) => method === 'DELETE',
      async () => respond({ status: 'success', data: {} }),
    ),
  ),
  breakage('write.delete-no-others', 'hides every item after a DELETE', () => {
    let isDeleted = false
    return async (request, send) => {
      if (request.method === 'PUT') isDeleted = false
      if (isDeleted && isItem(request))
        return respond({ status: 'error', message: 'no', data: {} }, 404)
      isDeleted ||= request.method === 'DELETE'
      return send(request)
    }
  }),
  breakage('write.delete-missing', 'deletes what is not there', () =>
    onResponse(
      ({ method }) => method === 'DELETE',
      () => respond({ status: 'success', data: {} }),
    ),
  ),
  breakage(
    'write.copy',
    'answers a copy with the item itself',
    when(
      (request) => lastSegment(request) === 'copy',
      (request, send) => {
        const url = new URL(request.url.href.replace(/\/copy$/, ''))
        return send({ method: 'GET', url, headers: { ...ADMIN } })
      },
    ),
  ),
  breakage('write.set', 'moves nothing into a set', () =>
    onSuccess(
      (request) => lastSegment(request) === 'move-to-set',
      ({ data, ...json }) => ({ ...json, data: { ...(data as JsonObject), inSet: [] } }),
    ),
  ),
  breakage(
    'write.field-dot',
    'takes dots in field names',
    when(isCreate, (request, send) =>
      send({ ...request, body: (request.body ?? '').replace('"a.b"', '"ab"') }),
    ),
  ),
  breakage(
    'write.patch-id',
    'ignores another _id',
    when(
      ({ method }) => method === 'PATCH',
      (request, send) => send({ ...request, body: (request.body ?? '').replace('"_id":"x"', '') }),
    ),
  ),
]

/** At least one breakage for every part of the contract. */
export const BREAKAGES: readonly Breakage[] = [
  ...LOGIN,
  ...AUTH,
  ...ENVELOPE,
  ...READ_BREAKAGES,
  ...WRITE,
  ...LOGOUT,
]
