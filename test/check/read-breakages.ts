import { getAt } from '@materials-mock/check'
import type { JsonObject } from '@materials-mock/json'
import type { Breakage } from './breakages.js'
import {
  isItem,
  isList,
  lastSegment,
  mapJson,
  mapObjects,
  omit,
  onItems,
  onParameter,
  onResponse,
  onStatus,
  onSuccess,
  readJson,
  readParameter,
  renameKey,
  respond,
  withParameter,
} from './broken-server.js'
import type { Change, ProxyRequest, Send } from './broken-server.js'

const breakage = (statement: string, name: string, create: () => Change): Breakage => ({
  statement,
  name,
  create,
})

const projection = (map: (value: JsonObject) => unknown) => (): Change =>
  onParameter('projection', map)
const query = (map: (value: JsonObject) => unknown) => (): Change => onParameter('query', map)
const fieldsOf = (value: JsonObject): JsonObject => (value.fields ?? {}) as JsonObject
const REFUSED = { status: 'error', message: 'no', data: { message: 'no', code: 'QUERY_INVALID' } }

/** Changes every operand of an operator in a query. */
const operand = (operator: string, map: (value: never, object: JsonObject) => unknown) =>
  query((value) =>
    mapObjects(value, (object) =>
      operator in object
        ? { ...object, [operator]: map(object[operator] as never, object) }
        : object,
    ),
  )

/** Runs a change on some requests only. */
const when =
  (
    isOne: (request: ProxyRequest) => boolean,
    change: (request: ProxyRequest, send: Send) => Promise<Response>,
  ): (() => Change) =>
  () =>
  (request, send) =>
    isOne(request) ? change(request, send) : send(request)

const rename = (from: string, to: string) => (): Change => renameKey(from, to)
const toRoot = (request: ProxyRequest, version: string): ProxyRequest => ({
  ...request,
  url: new URL(request.url.href.replace(/\/api(?:\/\d{4}-\d\d-\d\d)?\//, `/api/${version}/`)),
})

const PATHS: readonly Breakage[] = [
  breakage('paths.item-as-in-list', 'leaves out a field of an item by its id', () =>
    onSuccess(isItem, ({ data, ...json }) => ({
      ...json,
      data: { ...(data as JsonObject), name: undefined as never },
    })),
  ),
  breakage('paths.item-as-in-list', 'rounds the numbers of an item by its id', () =>
    onSuccess(isItem, (json) =>
      JSON.parse(
        JSON.stringify(json, (_key, value) =>
          typeof value === 'number' ? Math.round(value) : value,
        ),
      ),
    ),
  ),
  breakage('paths.item', 'answers with another item', () =>
    onSuccess(isItem, ({ data, ...json }) => ({
      ...json,
      data: { ...(data as JsonObject), _id: 'other' },
    })),
  ),
  breakage('paths.list', 'lists ids in place of items', () =>
    onItems((items) => items.map(({ _id }) => _id)),
  ),
  breakage('paths.list-ids', 'lists an item twice', () =>
    onItems((items) => [...items, ...items.slice(0, 1)]),
  ),
  breakage('paths.item-missing', 'answers with null for a missing item', () =>
    onResponse(isItem, (response) =>
      response.status === 404 ? respond({ status: 'success', data: null }) : response,
    ),
  ),
  breakage('paths.item-missing-404', 'answers with 400 for a missing item', () =>
    onStatus(404, 400),
  ),
  breakage(
    'paths.version-1999-12-31',
    'serves every version',
    () => (request, send) => send(toRoot(request, '2018-10-01')),
  ),
  breakage(
    'paths.version-2018-10-02',
    'serves later versions',
    when(
      ({ url }) => url.pathname.includes('2018-10-02'),
      (request, send) => send(toRoot(request, '2018-10-01')),
    ),
  ),
  breakage(
    'paths.version-1999-12-31',
    'redirects other versions to its own',
    when(
      ({ url }) => url.pathname.includes('1999-12-31'),
      async ({ url }) => {
        const location = url.pathname.replace('1999-12-31', '2018-10-01') + url.search
        return new Response(null, { status: 302, headers: { location } })
      },
    ),
  ),
  breakage(
    'paths.unknown-404',
    'answers with a page for what has no route',
    when(
      (request) => lastSegment(request).startsWith('no-resource'),
      async () =>
        new Response('<h1>Not found</h1>', {
          status: 404,
          headers: { 'content-type': 'text/html' },
        }),
    ),
  ),
  breakage('projection.order-unsorted', 'turns its natural order', () => {
    let count = 0
    return onItems((items, request) => {
      if (request.url.search.includes('sort')) return items
      count += 1
      return count % 2 === 0 ? items.toReversed() : items
    })
  }),
  breakage(
    'paths.version-none',
    'serves paths without the version',
    when(
      ({ url }) => !/\d{4}-/.test(url.pathname),
      (request, send) => send(toRoot(request, '2018-10-01')),
    ),
  ),
  breakage(
    'paths.resource-unknown',
    'lists nothing for an unknown resource',
    when(
      (request) => lastSegment(request).startsWith('no-resource'),
      async () => respond({ status: 'success', data: [] }),
    ),
  ),
  breakage(
    'paths.trailing-slash',
    'has nothing at a path with a slash',
    when(
      ({ url }) => url.pathname.endsWith('/'),
      async () => respond(REFUSED, 404),
    ),
  ),
  breakage(
    'paths.head',
    'has no HEAD',
    when(
      ({ method }) => method === 'HEAD',
      async () => new Response(null, { status: 405 }),
    ),
  ),
  breakage(
    'paths.head-none',
    'answers HEAD for everybody',
    when(
      ({ method }) => method === 'HEAD',
      async () =>
        new Response(null, { headers: { 'content-type': 'application/json; charset=utf-8' } }),
    ),
  ),
  breakage('paths.method', 'does not say which methods there are', () =>
    onResponse(
      (request) => lastSegment(request) === 'login',
      (response) =>
        response.status === 405
          ? mapJson(new Response(response.body, { status: 405 }), (json) => json)
          : response,
    ),
  ),
  breakage('paths.percent', 'takes a bad % for an id', () =>
    onResponse(
      ({ url }) => url.pathname.includes('%zz'),
      () => respond(REFUSED, 404),
    ),
  ),
  breakage(
    'paths.item-encoded',
    'does not decode an id',
    when(
      ({ url }) => url.pathname.includes('%2F'),
      (request, send) =>
        send({ ...request, url: new URL(request.url.href.replace('%2F', '%252F')) }),
    ),
  ),
]

const QUERY: readonly Breakage[] = [
  breakage(
    'query.string',
    'ignores the query',
    query(() => undefined),
  ),
  breakage('query.no-match', 'answers an empty list with 404', () =>
    onResponse(isList, async (response) =>
      isEmpty(await readJson(response)) ? respond(REFUSED, 404) : response,
    ),
  ),
  breakage('query.no-match', 'answers an empty list with null', () =>
    onItems((items) => (items.length === 0 ? null : items)),
  ),
  breakage(
    'query.empty',
    'matches nothing with {}',
    query((value) => (Object.keys(value).length === 0 ? { _id: 0 } : value)),
  ),
  breakage(
    'query.id',
    'does not look at _id',
    query(({ _id, ...value }) =>
      typeof _id === 'string' ? value : { _id: _id ?? { $exists: true }, ...value },
    ),
  ),
  breakage(
    'query.string',
    'compares strings with prefixes',
    query((value) =>
      mapObjects(value, (object) =>
        typeof object.name === 'string'
          ? { ...object, name: { $regex: `^${object.name.slice(0, 1)}` } }
          : object,
      ),
    ),
  ),
  breakage(
    'query.number',
    'knows no numbers',
    query((value) =>
      mapObjects(value, (object) =>
        Object.fromEntries(
          Object.entries(object).map(([key, each]) => [
            key,
            typeof each === 'number' && !key.startsWith('$') ? String(each) : each,
          ]),
        ),
      ),
    ),
  ),
  breakage(
    'query.boolean',
    'knows no booleans',
    query((value) =>
      mapObjects(value, (object) =>
        Object.fromEntries(
          Object.entries(object).map(([key, each]) => [
            key,
            typeof each === 'boolean' && !key.startsWith('$') ? String(each) : each,
          ]),
        ),
      ),
    ),
  ),
  breakage(
    'query.dotted-path',
    'ignores dotted paths',
    query((value) =>
      Object.fromEntries(Object.entries(value).filter(([key]) => !key.includes('.'))),
    ),
  ),
  breakage(
    'query.several',
    'takes one of several conditions',
    query((value) => ({ $or: Object.entries(value).map(([key, each]) => ({ [key]: each })) })),
  ),
  breakage('query.gt', 'takes $gt for $gte', rename('$gt', '$gte')),
  breakage('query.gte', 'takes $gte for $gt', rename('$gte', '$gt')),
  breakage('query.lt', 'takes $lt for $lte', rename('$lt', '$lte')),
  breakage('query.lte', 'takes $lte for $lt', rename('$lte', '$lt')),
  breakage('query.gt', 'takes $gt for $lt', rename('$gt', '$lt')),
  breakage(
    'query.range',
    'takes one of two comparisons',
    query((value) =>
      mapObjects(value, (object) => ('$gt' in object ? { $gt: object.$gt } : object)),
    ),
  ),
  breakage(
    'query.gt-string',
    'compares no strings',
    operand('$gt', (value: unknown) => (typeof value === 'string' ? 0 : value)),
  ),
  {
    ...breakage(
      'query.gt-string',
      'finds no string that is greater than another',
      operand('$gt', (value: unknown) => (typeof value === 'string' ? '\u{10FFFF}' : value)),
    ),
    dataSet: 'pair',
  },
  breakage(
    'query.in-ids',
    'takes the first value of $in',
    operand('$in', (value: unknown[]) => value.slice(0, 1)),
  ),
  breakage(
    'query.in',
    'takes $in for $nin at other paths',
    query((value) =>
      mapObjects(value, (object) =>
        JSON.stringify(object).includes('"$in":["no value') ? { $nin: object.$in } : object,
      ),
    ),
  ),
  breakage('query.or', 'takes $or for $and', rename('$or', '$and')),
  {
    ...breakage('query.or', 'takes $or for $and, with one item', rename('$or', '$and')),
    dataSet: 'single',
  },
  breakage(
    'query.or',
    'takes the first query of $or',
    operand('$or', (value: unknown[]) => value.slice(0, 1)),
  ),
  breakage(
    'query.regex',
    'ignores the case of patterns',
    query((value) =>
      mapObjects(value, (object) => ('$regex' in object ? { ...object, $options: 'i' } : object)),
    ),
  ),
  breakage('query.regex', 'takes a pattern for a string', rename('$regex', '$eq')),
  breakage(
    'query.regex',
    'takes ^ for a character',
    operand('$regex', (value: string) => value.replace('^', '\\^')),
  ),
  breakage(
    'query.regex-anywhere',
    'takes a pattern for a prefix',
    operand('$regex', (value: string) => (value.startsWith('^') ? value : `^${value}`)),
  ),
  breakage(
    'query.plus-is-space',
    'takes + for a plus',
    () => (request, send) =>
      send({ ...request, url: new URL(request.url.href.replaceAll('+', '%2B')) }),
  ),
  breakage(
    'query.percent-20-is-space',
    'drops %20',
    () => (request, send) =>
      send({ ...request, url: new URL(request.url.href.replaceAll('%20', '')) }),
  ),
  breakage(
    'query.percent-2b-is-plus',
    'takes %2B for a space',
    () => (request, send) =>
      send({ ...request, url: new URL(request.url.href.replaceAll('%2B', '%20')) }),
  ),
  ...['$ne', '$nin', '$not', '$and', '$nor', '$exists', '$type', '$all', '$size', '$elemMatch'].map(
    (operator) =>
      breakage(
        `query.${operator === '$elemMatch' ? 'elem-match' : operator.slice(1)}`,
        `has no ${operator}`,
        when(
          (request) =>
            isList(request) &&
            JSON.stringify(readParameter(request, 'query') ?? {}).includes(`"${operator}"`),
          async () => respond(REFUSED, 400),
        ),
      ),
  ),
  breakage(
    'query.null',
    'does not match missing fields with null',
    query((value) =>
      mapObjects(value, (object) =>
        Object.fromEntries(
          Object.entries(object).map(([key, each]) => [
            key,
            each === null ? { $type: 'null' } : each,
          ]),
        ),
      ),
    ),
  ),
  breakage(
    'query.ne',
    'ignores $ne',
    query((value) =>
      mapObjects(value, (object) => ('$ne' in object ? omit(object, '$ne') : object)),
    ),
  ),
  breakage(
    'query.ne',
    'does not match missing fields with $ne',
    query((value) =>
      mapObjects(value, (object) =>
        '$ne' in object ? { ...object, $exists: true, $gt: 'zzzz' } : object,
      ),
    ),
  ),
  breakage('query.through-array', 'follows no path through arrays', () =>
    onItems((items, request) =>
      /derivedProperties\.|elements\./.test(request.url.search) ? [] : items,
    ),
  ),
  breakage('query.not-json', 'ignores a query that is not JSON', () =>
    onResponse(isList, (response) =>
      response.status === 400 ? respond({ status: 'success', data: [] }) : response,
    ),
  ),
  breakage('query.operator-unknown', 'ignores an unknown operator', rename('$gtx', '$gt')),
  breakage(
    'query.where',
    'has another code for $where',
    when(
      ({ url }) => url.search.includes('where'),
      async () => respond({ ...REFUSED, data: { code: 'OTHER' } }, 400),
    ),
  ),
  breakage(
    'query.twice',
    'takes the first of two queries',
    when(
      ({ url }) => url.searchParams.getAll('query').length > 1,
      (request, send) => send(withParameter(request, 'query', {})),
    ),
  ),
  breakage(
    'query.other-parameters',
    'ignores an unknown parameter',
    when(
      ({ url }) => url.searchParams.has('page'),
      (request, send) => send(withParameter(request, 'page', undefined)),
    ),
  ),
  breakage(
    'query.max-depth',
    'has no limit of levels',
    when(
      (request) => isList(request) && request.url.search.split('$or').length > 20,
      async () => respond({ status: 'success', data: [] }),
    ),
  ),
]

const PROJECTION: readonly Breakage[] = [
  breakage(
    'projection.sort-id-descending',
    'ignores the sort',
    projection((value) => omit(value, 'sort')),
  ),
  breakage(
    'projection.sort-id-descending',
    'sorts upward only',
    projection((value) => ({ ...value, sort: mapValues(value.sort, () => 1) })),
  ),
  breakage(
    'projection.sort-id-ascending',
    'sorts downward only',
    projection((value) => ({ ...value, sort: mapValues(value.sort, () => -1) })),
  ),
  breakage(
    'projection.sort-id-ascending',
    'sorts the other way round',
    projection((value) => ({ ...value, sort: mapValues(value.sort, (direction) => -direction) })),
  ),
  breakage('projection.sort-numbers-by-value', 'sorts numbers as texts', () =>
    onItems((items, request) => {
      const [[path = '', direction = 1] = []] = Object.entries(
        readParameter(request, 'projection')?.sort ?? {},
      ) as [string, number][]
      const read = (item: JsonObject): unknown => getAt(item, path)
      const isNumeric = path !== '' && items.some((item) => typeof read(item) === 'number')
      return isNumeric
        ? items.toSorted((a, b) => direction * (String(read(a)) < String(read(b)) ? -1 : 1))
        : items
    }),
  ),
  breakage(
    'projection.sort-strings-descending',
    'does not sort by name',
    projection((value) => ({
      ...value,
      sort: Object.fromEntries(
        Object.entries(value.sort ?? {}).filter(([path]) => path !== 'name'),
      ),
    })),
  ),
  breakage(
    'projection.sort-several',
    'sorts by the first path only',
    projection((value) => ({
      ...value,
      sort: Object.fromEntries(Object.entries(value.sort ?? {}).slice(0, 1)),
    })),
  ),
  breakage('projection.sort-missing', 'puts missing fields last', () =>
    onItems((items, request) => {
      const [path = ''] = Object.keys(readParameter(request, 'projection')?.sort ?? {})
      const has = (item: JsonObject): boolean => (getAt(item, path) ?? null) !== null
      return path === '' ? items : [...items.filter(has), ...items.filter((item) => !has(item))]
    }),
  ),
  breakage('projection.sort-missing', 'lists no item without the field by which it sorts', () =>
    onItems((items, request) => {
      const [path = ''] = Object.keys(readParameter(request, 'projection')?.sort ?? {})
      return path === '' ? items : items.filter((item) => (getAt(item, path) ?? null) !== null)
    }),
  ),
  breakage(
    'projection.limit',
    'ignores the limit',
    projection(({ limit, ...value }) =>
      (limit as number) > 500 ? { ...value, limit: 501 } : { ...value, limit: 500 },
    ),
  ),
  breakage(
    'projection.limit',
    'returns one item more than the limit',
    projection((value) =>
      Number(value.limit) < 500 ? { ...value, limit: Number(value.limit) + 1 } : value,
    ),
  ),
  breakage(
    'projection.skip',
    'ignores the skip',
    projection((value) => omit(value, 'skip')),
  ),
  breakage(
    'projection.skip-before-limit',
    'limits before it skips',
    () => async (request, send) => {
      const { skip = 0, ...value } = readParameter(request, 'projection') ?? {}
      if (!isList(request) || typeof skip !== 'number' || skip < 0) return send(request)
      const response = await send(withParameter(request, 'projection', value))
      return response.ok
        ? mapJson(response, (json) => ({ ...json, data: (json.data as unknown[]).slice(skip) }))
        : response
    },
  ),
  breakage('projection.sort-before-skip', 'skips before it sorts', () => async (request, send) => {
    const { skip = 0, limit = 50, ...value } = readParameter(request, 'projection') ?? {}
    if (!isList(request) || typeof skip !== 'number' || skip < 0) return send(request)
    const page = { sort: { _id: 1 }, skip, limit }
    const { data: ids } = await readJson(await send(withParameter(request, 'projection', page)))
    const response = await send(withParameter(request, 'projection', value))
    if (!response.ok || !Array.isArray(ids)) return send(request)
    return mapJson(response, (json) => ({
      ...json,
      data: (json.data as JsonObject[]).filter((item) =>
        (ids as JsonObject[]).some(({ _id }) => _id === item._id),
      ),
    }))
  }),
  breakage(
    'projection.pages',
    'repeats the last item of a page',
    projection((value) =>
      Number(value.skip) > 1 ? { ...value, skip: Number(value.skip) - 1 } : value,
    ),
  ),
  breakage(
    'projection.pages',
    'misses an item between pages',
    projection((value) =>
      Number(value.skip) > 1 ? { ...value, skip: Number(value.skip) + 1 } : value,
    ),
  ),
  breakage(
    'projection.skip-beyond',
    'answers a skip beyond the end with the first page',
    () => async (request, send) => {
      const response = await send(request)
      if (!isList(request) || !response.ok || !isEmpty(await readJson(response))) return response
      return send(withParameter(request, 'projection', {}))
    },
  ),
  breakage('projection.limit-default', 'has a default limit of 20', () => (request, send) => {
    const { limit = 20, ...value } = readParameter(request, 'projection') ?? {}
    return send(
      isList(request) &&
        request.url.searchParams.get('projection') !== '' &&
        !/projection=%7B$|projection=\{$/.test(request.url.search)
        ? withParameter(request, 'projection', { ...value, limit })
        : request,
    )
  }),
  breakage(
    'projection.limit-default',
    'has no default limit',
    projection((value) => ({ limit: 500, ...value })),
  ),
  breakage(
    'projection.limit-default-bare',
    'has no default limit without a projection',
    when(
      (request) => isList(request) && !request.url.searchParams.has('projection'),
      (request, send) => send(withParameter(request, 'projection', { limit: 500 })),
    ),
  ),
  breakage(
    'projection.limit-500',
    'has a greatest limit of 30',
    projection((value) => ({
      ...value,
      ...(Number(value.limit) <= 500 && { limit: Math.min(30, Number(value.limit)) }),
    })),
  ),
  breakage(
    'projection.limit-501',
    'lowers a limit above 500',
    projection((value) => ({ ...value, ...(Number(value.limit) > 500 && { limit: 500 }) })),
  ),
  breakage(
    'projection.limit-501-message',
    'does not name the greatest limit',
    when(
      ({ url }) => url.search.includes('501'),
      async () => respond({ ...REFUSED, data: { message: 'no', code: 'PROJECTION_INVALID' } }, 400),
    ),
  ),
  breakage(
    'projection.fields-include',
    'ignores fields',
    projection((value) => omit(value, 'fields')),
  ),
  breakage(
    'projection.fields-exclude',
    'ignores fields with 0',
    projection((value) => ({
      ...value,
      fields: Object.fromEntries(Object.entries(fieldsOf(value)).filter(([, flag]) => flag !== 0)),
    })),
  ),
  breakage(
    'projection.fields-include',
    'takes 1 for 0 in fields',
    projection((value) => ({
      ...value,
      fields: mapValues(value.fields, (flag) => (flag === 1 ? 0 : flag)),
    })),
  ),
  breakage(
    'projection.fields-nested',
    'includes whole objects',
    projection((value) => ({
      ...value,
      fields: Object.fromEntries(
        Object.entries(fieldsOf(value)).map(([path, flag]) => [
          flag === 1 ? (path.split('.')[0] ?? '') : path,
          flag,
        ]),
      ),
    })),
  ),
  breakage(
    'projection.fields-nested-exclude',
    'excludes whole objects',
    projection((value) => ({
      ...value,
      fields: Object.fromEntries(
        Object.entries(fieldsOf(value)).map(([path, flag]) => [
          flag === 0 ? (path.split('.')[0] ?? '') : path,
          flag,
        ]),
      ),
    })),
  ),
  breakage('projection.fields-change-nothing', 'deletes what it has excluded', () => {
    const deleted = new Set<string>()
    return async (request, send) => {
      const response = await send(request)
      if (!isList(request) || !response.ok) return response
      const before = new Set(deleted)
      for (const [path, flag] of Object.entries(
        fieldsOf(readParameter(request, 'projection') ?? {}),
      ))
        if (flag === 0 && path !== '_id') deleted.add(path)
      return mapJson(response, ({ data, ...json }) => ({
        ...json,
        data: (data as JsonObject[]).map((item) =>
          Object.fromEntries(Object.entries(item).filter(([key]) => !before.has(key))),
        ),
      }))
    }
  }),
  breakage(
    'projection.fields-id',
    'leaves out _id unless it is included',
    projection((value) => ({
      ...value,
      fields: {
        ...(Object.values(fieldsOf(value)).includes(1) &&
          fieldsOf(value)._id === undefined && { _id: 0 }),
        ...fieldsOf(value),
      },
    })),
  ),
  breakage('projection.fields-array', 'includes nothing in arrays', () =>
    onItems((items, request) =>
      JSON.stringify(fieldsOf(readParameter(request, 'projection') ?? {})).match(
        /elements|derived|coordinates/,
      )
        ? items.map(({ _id }) => ({ _id }))
        : items,
    ),
  ),
  breakage(
    'projection.fields-slice',
    'ignores $slice',
    projection((value) => ({
      ...value,
      fields: Object.fromEntries(
        Object.entries(fieldsOf(value)).filter(([, flag]) => typeof flag !== 'object'),
      ),
    })),
  ),
  breakage(
    'projection.fields-expression',
    'refuses expressions',
    when(
      (request) => JSON.stringify(readParameter(request, 'projection') ?? {}).includes('"$_id"'),
      async () => respond(REFUSED, 400),
    ),
  ),
  breakage(
    'projection.key-unknown',
    'ignores an unknown key',
    projection((value) => omit(value, 'order')),
  ),
  breakage(
    'projection.limit-text',
    'reads numbers in strings',
    projection((value) => ({
      ...value,
      ...(typeof value.limit === 'string' && { limit: Number(value.limit) }),
    })),
  ),
  breakage(
    'projection.limit-zero',
    'takes a limit of 0 for no limit',
    projection((value) => ({ ...value, ...(value.limit === 0 && { limit: 50 }) })),
  ),
  breakage(
    'projection.skip-negative',
    'takes a negative skip for 0',
    projection((value) => ({ ...value, ...(Number(value.skip) < 0 && { skip: 0 }) })),
  ),
  breakage(
    'projection.fields-mixed',
    'takes the included of mixed fields',
    projection((value) => ({ ...value, ...(fieldsOf(value).b === 0 && { fields: { a: 1 } }) })),
  ),
]

const mapValues = (object: unknown, map: (value: number) => unknown): JsonObject =>
  Object.fromEntries(
    Object.entries((object ?? {}) as Record<string, number>).map(([key, value]) => [
      key,
      map(value),
    ]),
  ) as JsonObject

/** What only values of other alphabets and types show. */
const EXOTIC: readonly Breakage[] = [
  breakage(
    'query.array-element',
    'compares arrays as a whole',
    query((value) =>
      mapObjects(value, (object) =>
        typeof object.tags === 'string' ? { ...object, tags: [object.tags] } : object,
      ),
    ),
  ),
  breakage(
    'query.unicode',
    'knows ASCII alone',
    () => (request, send) =>
      send({ ...request, url: new URL(request.url.href.replace(/%[C-F].%[89AB]./g, '%3F')) }),
  ),
  breakage(
    'query.mod',
    'has no $mod',
    when(
      (request) => JSON.stringify(readParameter(request, 'query') ?? {}).includes('$mod'),
      async () => respond(REFUSED, 400),
    ),
  ),
  breakage('projection.sort-types', 'sorts all values as texts', () =>
    onItems((items, request) => {
      const [path = ''] = Object.keys(readParameter(request, 'projection')?.sort ?? {})
      const read = (item: JsonObject): string => JSON.stringify(getAt(item, path) ?? null)
      return path === '' ? items : items.toSorted((a, b) => (read(a) < read(b) ? -1 : 1))
    }),
  ),
  breakage('projection.sort-types', 'lists the numbers alone that it sorts', () =>
    onItems((items, request) => {
      const [path = ''] = Object.keys(readParameter(request, 'projection')?.sort ?? {})
      return /^(?:_id)?$/.test(path)
        ? items
        : items.filter((item) => typeof getAt(item, path) === 'number')
    }),
  ),
  breakage('projection.sort-case', 'ignores the case of letters in a sort', () =>
    onItems((items, request) => {
      const [path = ''] = Object.keys(readParameter(request, 'projection')?.sort ?? {})
      const read = (item: JsonObject): string => String(getAt(item, path)).toLowerCase()
      return path === '' ? items : items.toSorted((a, b) => (read(a) < read(b) ? -1 : 1))
    }),
  ),
  breakage('query.type-bracketing', 'compares values of all types', () =>
    onItems((items, request) =>
      request.url.search.includes('gte%22%3A-1000000000000') ? [...items, ...items, {}] : items,
    ),
  ),
].map((each) => ({ ...each, dataSet: 'exotic' }))

const isEmpty = ({ data }: JsonObject): boolean => Array.isArray(data) && data.length === 0

/** What a server can do wrong when it is read. */
export const READ_BREAKAGES: readonly Breakage[] = [...PATHS, ...QUERY, ...PROJECTION, ...EXOTIC]
