import { findValues, isJsonObject } from '@materials-mock/json'
import type { Json, JsonObject } from '@materials-mock/json'
import { expectItems, expectSame, expectTrue } from './expect.js'
import { Lack, Mismatch, words } from './outcome.js'
import type { Probe } from './probe.js'
import { isHeld, summarize } from './report.js'
import type { StatementResult, UsedResult } from './report.js'
import {
  compareStrings,
  describeSample,
  distinct,
  findQueried,
  getAt,
  isQuantity,
  isText,
} from './sample.js'
import type { Item } from './sample.js'
import { defineStatement } from './statement.js'
import type { Statement } from './statement.js'
import { expectSorted, isSortable } from './statements/sort.js'
import { STATEMENTS } from './statements/statements.js'

/** What clients have used of a route, as a mock's footprint has it. */
export interface UsedRoute {
  readonly method: string
  /** The template below the versioned root: `/materials/{id}`. */
  readonly path: string
  readonly operators: readonly string[]
  readonly paths: readonly string[]
  readonly sort: readonly string[]
  readonly fields: readonly string[]
  readonly parameters: readonly string[]
  readonly code: readonly string[]
}

const toKey = ({ method, path }: Pick<UsedRoute, 'method' | 'path'>): string => `${method} ${path}`

/** The resource that a route is of, if it is of one. */
export const findUsedResource = ({ path }: UsedRoute): string | undefined =>
  ['*', '/login', '/logout'].includes(path) ? undefined : path.split('/')[1]

/** Returns the statements on what was used, of each route by itself. Their ids start with the route. */
export const toUsedStatements = (uses: readonly UsedRoute[]): Statement[] =>
  uses.flatMap((use) => {
    const resource = findUsedResource(use)
    const known = listKnown(use).map((id) => STATEMENTS.find((each) => each.id === id)!)
    const all = [...known, ...(isList(use) ? describeList(use) : [])]
    const found = all.length > 0 ? all : [unknown('route', `${toKey(use)} is served`)]
    return found.map((statement) => ({
      ...statement,
      id: `${toKey(use)}.${statement.id}`,
      check: async (probe) => {
        if (resource === undefined) return statement.check(probe)
        const isWrite = statement.id.startsWith('write.')
        if (isWrite && resource !== probe.resource)
          throw new Lack(`a check that writes ${resource}`, `one that writes ${probe.resource}`)
        return statement.check(await probe.of(resource))
      },
    }))
  })

/** @param isStrict whether an assumed statement counts that does not hold */
export const summarizeUses = (
  uses: readonly UsedRoute[],
  statements: readonly StatementResult[],
  isStrict: boolean,
): UsedResult[] =>
  uses.map((use) => {
    const own = statements.filter(({ id }) => id.startsWith(`${toKey(use)}.`))
    const { held, failed, skipped } = summarize(own)
    const { method, path } = use
    const isFailed = !isHeld({ statements: own }, isStrict)
    const outcome = isFailed ? 'failed' : held + failed > 0 ? 'held' : 'skipped'
    return { method, path, outcome, held, failed, skipped }
  })

const isList = ({ method, path }: UsedRoute): boolean =>
  method === 'GET' && /^\/[^/*]+$/.test(path) && path !== '/logout'

/** Returns a table that has no names of `Object`: clients use any names. */
const toMap = (table: Readonly<Record<string, readonly string[]>>) => new Map(Object.entries(table))

/** The statements on routes, by the method and the template after the resource. */
const BY_ROUTE = toMap({
  'POST /login': ['login.status', 'login.credentials-work'],
  'GET /logout': ['logout.success', 'logout.ends-credentials'],
  'POST /logout': ['logout.post'],
  'GET ': ['paths.list', 'envelope.list'],
  'GET /{id}': ['paths.item', 'paths.item-as-in-list'],
  'PUT /create': ['write.create', 'write.create-stores'],
  'PATCH /{id}': ['write.patch', 'write.patch-keeps'],
  'DELETE /{id}': ['write.delete', 'write.delete-no-others'],
  'POST /{id}/copy': ['write.copy'],
  'PUT /create-set': ['write.set'],
})

/** The statements on the codes of failures. */
const BY_CODE = toMap({
  LOGIN_REJECTED: ['login.wrong-password', 'login.wrong-password-401'],
  CREDENTIALS_REJECTED: ['auth.list-none', 'auth.wrong-token', 'auth.wrong-token-code'],
  ITEM_NOT_FOUND: ['paths.item-missing', 'paths.item-missing-404'],
  ROUTE_NOT_FOUND: ['paths.unknown-404'],
  METHOD_NOT_ALLOWED: ['paths.method'],
  QUERY_INVALID: ['query.not-json', 'query.operator-unknown'],
  PROJECTION_INVALID: ['projection.key-unknown'],
  PARAMETER_INVALID: ['query.empty-parameter'],
})

/** The statements on operators whose ids are not their names. */
const BY_OPERATOR = toMap({
  $eq: ['query.no-match'],
  $elemMatch: ['query.elem-match'],
  $options: ['query.regex-ignore-case'],
})

const IDS: ReadonlySet<string> = new Set(STATEMENTS.map(({ id }) => id))

const findOperatorIds = (operator: string): readonly string[] =>
  BY_OPERATOR.get(operator) ?? [`query.${operator.slice(1)}`].filter((id) => IDS.has(id))

/** Lists the ids of the statements of the contract that are on what was used. */
function listKnown(use: UsedRoute): string[] {
  const { method, path, operators, code } = use
  const resource = findUsedResource(use)
  const route = resource === undefined ? path : path.slice(resource.length + 1)
  const used = new Set([...use.paths, ...use.sort, ...use.fields])
  // The statements on codes of a resource send GET, which tells nothing of its other routes.
  const codes = resource === undefined || method === 'GET' ? code : []
  return [
    ...(BY_ROUTE.get(`${method} ${route}`) ?? []),
    ...operators.flatMap(findOperatorIds),
    ...codes.flatMap((each) => BY_CODE.get(each) ?? []),
    ...[...used].map((each) => `schema.${resource}.${each}`).filter((id) => IDS.has(id)),
  ]
}

const unknown = (kind: string, title: string): Statement =>
  defineStatement('documented', kind, title, async () => {
    throw new Lack(`a statement on this ${kind}`, 'none')
  })

/** Describes the requests for a list: their conditions, order, fields and parameters. */
const describeList = (use: UsedRoute): Statement[] => [
  ...use.operators
    .filter((operator) => findOperatorIds(operator).length === 0)
    .map((operator) => unknown(`operator ${operator}`, `${operator} is understood`)),
  ...use.paths.map((path) =>
    defineStatement(
      'documented',
      `path ${path}`,
      `A query by ${path} finds the items that have a value`,
      (probe) => {
        const [value, test] = findUsedValue(probe, path)
        return probe.expectMatches({ [path]: value }, test)
      },
    ),
  ),
  ...use.sort.map((path) =>
    defineStatement('documented', `sort ${path}`, `A list is sorted by ${path}`, (probe) =>
      expectOrder(probe, path),
    ),
  ),
  ...use.fields.map((path) =>
    defineStatement(
      'documented',
      `field ${path}`,
      `Items have ${path}, and fields returns it`,
      (probe) => expectPresent(probe, path),
    ),
  ),
  ...use.parameters.map((name) =>
    defineStatement('documented', `parameter ${name}`, `Lists read ${name}`, async (probe) => {
      const readers = PARAMETERS.get(name)
      if (readers === undefined) return expectPlain(probe, name)
      const { lists } = probe.deployment
      if (lists === undefined) throw new Lack('lists that can be told apart', 'none')
      expectTrue(readers.includes(lists), `lists that read ${name}`, words(`lists that do not`))
    }),
  ),
]

/** The parameters of lists, and the forms of lists that read them. */
const PARAMETERS = toMap({
  query: ['both', 'documented'],
  projection: ['both', 'documented'],
  advancedSearches: ['both', 'migrated'],
  setId: ['both', 'migrated'],
  globalSearch: ['both', 'migrated'],
})

/** Returns a value that a query by a path finds in the sample, and what tells whether an item has it. */
function findUsedValue(probe: Probe, path: string): [value: Json, test: (item: Item) => boolean] {
  const valuesAt = (item: JsonObject): Json[] => findQueried(item, path.split('.'))
  const values = distinct(probe.sample.flatMap(valuesAt))
  const value = values.find((each) => isText(each) || isQuantity(each) || typeof each === 'boolean')
  if (value === undefined) throw probe.createLack(`an item with ${path}`)
  return [value, (item) => valuesAt(item).includes(value)]
}

/** Expects that a list reads a parameter beside those with JSON: its limit, or the value of a field. */
async function expectPlain(probe: Probe, name: string): Promise<void> {
  if (name === 'skip' || name === 'sort') throw new Lack('a statement on this parameter', 'none')
  if (name === 'limit') probe.take(2) // of which a limit of 1 leaves out one
  const [value, test] = name === 'limit' ? [1, () => true] : findUsedValue(probe, name)
  const parameters = new URLSearchParams({ [name]: String(value) })
  const items = expectItems(await probe.getData(`/${probe.resource}?${parameters}`))
  const isRead = name === 'limit' ? items.length === 1 : items.length > 0 && items.every(test)
  expectTrue(isRead, `items that ${parameters} asks for`, items)
}

async function expectOrder(probe: Probe, path: string): Promise<void> {
  const values = distinct(probe.sample.map((item) => getAt(item, path) ?? null))
  const isNumeric = values.filter(isQuantity).length > 1
  if (!isNumeric && values.filter(isSortable).length < 2)
    throw probe.createLack(`two values at ${path}`)
  for (const direction of [1, -1] as const) {
    await (isNumeric
      ? expectSorted(probe, path, direction, isQuantity, (a, b) => a - b)
      : expectSorted(probe, path, direction, isSortable, compareStrings))
  }
}

async function expectPresent(probe: Probe, path: string): Promise<void> {
  const names = path.split('.')
  const last = names.at(-1)!
  const valuesAt = (item: JsonObject): Json[] =>
    findValues(item, names.slice(0, -1))
      .filter(isJsonObject)
      .filter((parent) => Object.hasOwn(parent, last))
      .map((parent) => parent[last]!) // which may be an empty array
  const item = probe.take(1).find((each) => valuesAt(each).length > 0)
  if (item === undefined) {
    // MongoDB's fields take a number in a path for a name, and return nothing at a position.
    if (names.some((name) => /^\d+$/.test(name))) throw probe.createLack(`an item with ${path}`)
    const found = describeSample(probe.sample, probe.resource)
    throw new Mismatch(words(`items with ${path}`), words(found))
  }
  if (probe.deployment.lists === 'migrated') return // whose lists return whole items
  const [projected = {}] = await probe.list({ _id: item._id }, { fields: { [path]: 1 } })
  expectSame(valuesAt(projected), valuesAt(item))
}
