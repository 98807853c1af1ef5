import type { Footprint, Use } from '@materials-mock/api'
import { isJsonObject } from '@materials-mock/json'
import type { Json, JsonObject } from '@materials-mock/json'
import { isSliceExpression, listConditions } from '@materials-mock/query'
import type { Condition } from '@materials-mock/query'
import type { ListQueryCompiler } from '../../http/list/compile.js'
import type { ListRequest } from '../../http/list/parameters.js'
import { defineOperation } from '../control.js'
import { stripTrailingSlash } from '../path-glob.js'

export const footprintOperation = defineOperation(
  'GET /footprint',
  'footprint',
  'Get the footprint of clients',
  {
    description:
      'Returns the routes, operators, paths and parameters that requests have used since the start or the last reset, independent of the size of the journal. A footprint has at most 10,000 names of 200 characters; a use that lacks some names has `cut`.',
    run: ({ sandbox }) => sandbox.footprint.toJSON(),
  },
)

/** The largest number of names of a footprint, in all lists of all uses, and the largest length of a name. */
const MAX_NAMES = 10_000
const MAX_LENGTH = 200

export interface UseFacts {
  readonly status: number
  readonly failure: string | undefined
  /** The parameters of a list, if the route has parsed them. */
  readonly list: ListRequest | undefined
}

/** Collects the uses of clients. It takes memory for different uses, not for each request. */
export class FootprintCollector {
  /** The uses by method and by the template of the route. */
  readonly #uses = new Map<string, Map<string | undefined, UseCollector>>()
  readonly #room = { names: MAX_NAMES }

  /** @param url the template of the path; undefined for a request without a route */
  count(method: string, url: string | undefined): UseCollector {
    let byRoute = this.#uses.get(method)
    if (byRoute === undefined) this.#uses.set(method, (byRoute = new Map()))
    let use = byRoute.get(url)
    if (use === undefined) {
      use = new UseCollector(method, toTemplate(url), this.#room)
      byRoute.set(url, use)
    }
    use.count += 1
    return use
  }

  clear(): void {
    this.#uses.clear()
    this.#room.names = MAX_NAMES
  }

  toJSON(): Footprint {
    const uses = [...this.#uses.values()].flatMap((byRoute) =>
      Array.from(byRoute.values(), (use) => use.toJSON()),
    )
    return {
      requests: uses.reduce((sum, { count }) => sum + count, 0),
      uses: uses.toSorted((a, b) => (toKey(a) < toKey(b) ? -1 : 1)),
    }
  }
}

/** Returns the path of a route below the versioned root: `/materials/{id}`. */
const toTemplate = (route: string | undefined): string =>
  route === undefined
    ? '*'
    : stripTrailingSlash(route)
        .replace(/^\/api\/[^/]+(?=\/)/, '')
        .replace(/:([^/]+)/g, '{$1}')

const toKey = ({ path, method }: Use): string => `${path} ${method}`

const LISTS = ['operators', 'paths', 'sort', 'fields', 'parameters', 'code'] as const
type ListName = (typeof LISTS)[number]

export class UseCollector {
  count = 0
  readonly #room: { names: number }
  readonly #statuses = new Set<number>()
  readonly #names = Object.fromEntries(LISTS.map((list) => [list, new Set<string>()])) as Readonly<
    Record<ListName, Set<string>>
  >
  #isCut = false

  constructor(
    readonly method: string,
    readonly path: string,
    room: { names: number },
  ) {
    this.#room = room
  }

  addParameters(names: readonly string[]): void {
    for (const name of names) if (name !== '') this.#addName('parameters', name)
  }

  /** @param listQueries has compiled the list */
  add({ status, failure, list }: UseFacts, listQueries: ListQueryCompiler): void {
    this.#statuses.add(status)
    const code = failure === undefined ? undefined : /"code":"(\w+)"/.exec(failure)?.[1]
    if (code !== undefined) this.#addName('code', code)
    if (status >= 400 || list === undefined) return
    const { projection, equalities } = list
    if (equalities !== undefined) {
      this.#addName('operators', '$eq')
      for (const path of equalities.keys()) this.#addName('paths', path)
    }
    this.#addConditions(listQueries.compile(list).selector.tree)
    if (isJsonObject(projection)) this.#addProjection(projection)
  }

  toJSON(): Use {
    const lists = LISTS.map((list) => [list, [...this.#names[list]].toSorted()])
    return {
      method: this.method,
      path: this.path,
      count: this.count,
      statuses: [...this.#statuses].toSorted((a, b) => a - b),
      ...(Object.fromEntries(lists) as Pick<Use, ListName>),
      ...(this.#isCut && { cut: true }),
    }
  }

  #addName(list: ListName, name: string): void {
    const names = this.#names[list]
    if (names.has(name)) return
    if (name.length > MAX_LENGTH || this.#room.names === 0) {
      this.#isCut = true
      return
    }
    this.#room.names -= 1
    names.add(name)
  }

  #addConditions(conditions: readonly Condition[]): void {
    for (const { condition, path } of listConditions(conditions)) {
      this.#addName('operators', condition.operator)
      if (path !== undefined) this.#addName('paths', path)
      if (condition.operator === '$expr') this.#addExpression(condition.operand)
    }
  }

  #addExpression(operand: Json | undefined): void {
    if (typeof operand === 'string') {
      const path = /^\$(?!\$)(.+)/.exec(operand)?.[1]
      if (path !== undefined) this.#addName('paths', path)
    } else if (Array.isArray(operand)) {
      for (const each of operand) this.#addExpression(each)
    } else if (isJsonObject(operand)) {
      for (const [name, value] of Object.entries(operand)) {
        if (name.startsWith('$')) this.#addName('operators', name)
        if (name !== '$literal') this.#addExpression(value)
      }
    }
  }

  #addProjection({ sort, fields }: JsonObject): void {
    if (isJsonObject(sort)) for (const path in sort) this.#addName('sort', path)
    if (isJsonObject(fields)) this.#addFields(fields)
  }

  /** Adds the fields that a list returns, and what its computed fields read. Excluded fields are not relied on. */
  #addFields(fields: JsonObject, prefix = ''): void {
    for (const [name, value] of Object.entries(fields)) {
      const path = prefix + name.replace(/\.\$$/, '') // without the positional $
      if (isReturned(value)) this.#addName('fields', path)
      else if (isNested(value)) this.#addFields(value, `${path}.`)
      else this.#addExpression(value)
    }
  }
}

/** Whether the value of a path in `fields` returns the stored field, or a part of it. */
function isReturned(value: Json): boolean {
  if (typeof value === 'number' || typeof value === 'boolean') return Boolean(value)
  if (!isJsonObject(value)) return false
  const { $slice } = value
  return '$elemMatch' in value || ($slice !== undefined && !isSliceExpression($slice))
}

/** Whether the value of a path in `fields` has paths below it. */
const isNested = (value: Json): value is JsonObject =>
  isJsonObject(value) && !Object.keys(value)[0]?.startsWith('$')
