import { isJsonObject } from '@materials-mock/json'
import type { Json, JsonObject } from '@materials-mock/json'
import type { Work } from '@materials-mock/work'

const SCHEMA = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json'

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}

interface Operation {
  readonly tags: readonly string[]
  readonly summary: string
  readonly description: string
  /** An empty array for a request without credentials. */
  readonly security?: readonly object[]
  /** The URL of the root, for a path that is not below the base path. */
  readonly servers?: readonly object[]
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly example?: Json }>> }
}

interface Parameter {
  readonly name: string
  readonly in: string
  readonly description: string
  readonly examples?: Readonly<Record<string, { readonly value: Json }>>
}

interface Route {
  readonly method: string
  readonly path: string
  readonly operation: Operation
  /** The name of its folder: that of a resource, or of a group of operations. */
  readonly tag: string
}

export interface CollectionContext {
  /** The URL before `/api`: `http://127.0.0.1:4000`. */
  readonly origin: string
  readonly basePath: string
  /** The account that the first requests are of, and its token, if it has one. */
  readonly accountId: string
  readonly token: string
}

/** The order of the requests of a folder: a later one may use what an earlier one has made. */
const ORDER = [/^GET \/[\w-]+$/, /\/create$/, /\/create-set$/, /\/set-default$/, /^(?!DELETE)/]

/** The variables that a response sets, by the ends of paths. */
const SETS: readonly (readonly [end: RegExp, variable: (tag: string) => string, data: string])[] = [
  [/\/create$/, (tag) => `${tag}_created`, '_id'],
  [/\/create-set$/, (tag) => `${tag}_set`, '_id'],
  [/^\/oidc\/device\/auth$/, () => 'device_code', 'device_code'],
]

/**
 * Creates a Postman collection (v2.1) that runs from top to bottom: the login, a folder for each
 * tag, and the logout. Its ids are of items that exist or are made before.
 * @param work the work of `createDocument`
 */
export function* createCollection(
  work: Work<object>,
  context: CollectionContext,
): Work<JsonObject> {
  const routes = listRoutes((yield* work) as Document)
  const ids = new Map(routes.flatMap((route) => findId(route) ?? []))
  const makers = new Set(
    routes.filter(({ path }) => path.endsWith('/create')).map(({ tag }) => tag),
  )
  // A bank may have no item and no default item, and no request makes one.
  const isUsable = ({ path, tag }: Route): boolean =>
    makers.has(tag) ||
    (ids.has(tag) && !path.endsWith('/default')) ||
    !/\{id\}|\/default$/.test(path)
  const toItem = (route: Route): JsonObject => createItem(route, context.basePath, ids)
  const [logins, others] = [routes.filter(isSession), routes.filter((each) => !isSession(each))]
  const tags = [...new Set(others.map(({ tag }) => tag))]
  const usable = others.filter(isUsable).toSorted((a, b) => placeOf(a) - placeOf(b))
  const folders = tags.map((tag) => ({
    name: tag,
    item: usable.filter((route) => route.tag === tag).map(toItem),
  }))
  const findSession = (path: string): JsonObject[] =>
    logins.filter((route) => route.path === path && route.method === 'POST').map(toItem)
  const variables = {
    url: context.origin,
    accountId: context.accountId,
    token: context.token,
    device_code: '',
    ...Object.fromEntries(
      [...new Set([...ids.keys(), ...makers])].flatMap((tag) => [
        [tag, ids.get(tag) ?? ''],
        [`${tag}_created`, ids.get(tag) ?? ''],
        [`${tag}_set`, ''],
      ]),
    ),
  }
  return {
    info: {
      name: 'materials-mock',
      description: 'Every request of the API. The login sets the credentials of all others.',
      schema: SCHEMA,
    },
    item: [...findSession('/login'), ...folders, ...findSession('/logout')],
    variable: Object.entries(variables).map(([key, value]) => ({ key, value })),
  }
}

const isSession = ({ path }: Route): boolean => /^\/log(?:in|out)$/.test(path)

const listRoutes = ({ paths }: Document): Route[] =>
  Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      operation,
      tag: operation.tags[0] ?? '',
    })),
  )

/** Returns the tag of a route and the id of an item that exists, if the document has one. */
function findId({ tag, operation: { parameters = [] } }: Route): [[string, string]] | undefined {
  const value = parameters.find(({ name }) => name === 'id')?.examples?.one?.value
  return typeof value === 'string' ? [[tag, value]] : undefined
}

function placeOf({ method, path }: Route): number {
  const place = ORDER.findIndex((pattern) => pattern.test(`${method} ${path}`))
  return place === -1 ? ORDER.length : place
}

function createItem(route: Route, basePath: string, ids: ReadonlyMap<string, string>): JsonObject {
  const { method, path, operation, tag } = route
  const isRoot = operation.servers !== undefined
  const id = path.endsWith('/update-set')
    ? `${tag}_set`
    : method === 'DELETE' || !ids.has(tag)
      ? `${tag}_created`
      : tag
  const segments = ((isRoot ? '' : basePath) + path.replace('{id}', `{{${id}}}`))
    .split('/')
    .slice(1)
  const query = listParameters(operation, tag, path.endsWith('/move-to-set'))
  const shown = query.filter(({ disabled }) => disabled !== true)
  const search = shown.map(({ key, value }) => `${String(key)}=${String(value)}`).join('&')
  return {
    name: operation.summary,
    event: [
      {
        listen: 'test',
        script: { type: 'text/javascript', exec: createScript(path, tag) },
      },
    ],
    request: {
      method,
      description: operation.description,
      header: createHeaders(operation),
      url: {
        raw: `{{url}}/${segments.join('/')}${search === '' ? '' : `?${search}`}`,
        host: ['{{url}}'],
        path: segments,
        ...(query.length > 0 && { query }),
      },
      ...createBody(operation),
    },
  }
}

function createHeaders({ security, requestBody }: Operation): JsonObject[] {
  const [type] = Object.keys(requestBody?.content ?? {})
  return [
    ...(security?.length === 0
      ? []
      : [
          { key: 'X-Account-Id', value: '{{accountId}}' },
          { key: 'X-Auth-Token', value: '{{token}}' },
        ]),
    ...(type === undefined ? [] : [{ key: 'Content-Type', value: type }]),
  ]
}

/** Lists the query parameters: optional ones are there with an example, and disabled. */
function listParameters(
  { parameters = [] }: Operation,
  tag: string,
  isMove: boolean,
): JsonObject[] {
  return parameters
    .filter((parameter) => parameter.in === 'query')
    .map(({ name, description, examples = {} }) => {
      const [example] = Object.values(examples)
      return isMove && name === 'newSetId'
        ? { key: name, value: `{{${tag}_set}}`, description }
        : { key: name, value: String(example?.value ?? ''), description, disabled: true }
    })
}

function createBody({ requestBody }: Operation): JsonObject {
  const [type, media] = Object.entries(requestBody?.content ?? {})[0] ?? []
  const example = media?.example
  if (type === undefined || example === undefined) return {}
  if (type === 'application/json') {
    const raw = JSON.stringify(example, undefined, 2)
    return { body: { mode: 'raw', raw, options: { raw: { language: 'json' } } } }
  }
  const fields = Object.entries(isJsonObject(example) ? example : {})
  const isDeviceCode = fields.some(([, value]) => String(value).endsWith(':device_code'))
  const all = [...fields, ...(isDeviceCode ? [['device_code', '{{device_code}}'] as const] : [])]
  return {
    body: { mode: 'urlencoded', urlencoded: all.map(([key, value]) => ({ key, value })) },
  }
}

const keep = (variable: string, key: string): string =>
  `pm.collectionVariables.set('${variable}', result['${key}'])`

/** The paths whose answers may have no envelope: documents, logins and OpenID Connect. */
const WITHOUT_ENVELOPE = /\.json$|^\/login$|^\/oidc\//

/** Creates the script that tests an answer, and that keeps what later requests need. */
function createScript(path: string, tag: string): string[] {
  const tests = [
    "pm.test('The status is 200', () => pm.response.to.have.status(200))",
    // Postman has a global `data`.
    'const body = pm.response.json(), result = body.data || body',
  ]
  if (!WITHOUT_ENVELOPE.test(path))
    tests.push("pm.test('It is a success', () => pm.expect(body.status).to.eql('success'))")
  if (path === '/login') {
    return [
      ...tests,
      "pm.test('It has a token', () => pm.expect(result['X-Auth-Token']).to.be.a('string'))",
      keep('accountId', 'X-Account-Id'),
      keep('token', 'X-Auth-Token'),
    ]
  }
  const found = SETS.find(([end]) => end.test(path))
  return found === undefined ? tests : [...tests, keep(found[1](tag), found[2])]
}
