import type { FastifyRequest } from 'fastify'

import { ParameterInvalid } from '../errors.js'
import { parseJsonParameter } from '../query/bounds.js'
import { Budget } from '../query/budget.js'
import { Cache } from '../query/cache.js'
import { evaluateFields } from '../query/evaluate.js'
import { compileFields } from '../query/fields.js'
import type { Fields } from '../query/fields.js'
import { compileOrder } from '../query/order.js'
import type { Order } from '../query/order.js'
import { compileSelector } from '../query/selector.js'
import type { Selector } from '../query/selector.js'
import type { JsonObject } from '../schemas/json.js'
import { judgeOf } from '../schemas/judge.js'
import { DEFAULT_LIMIT, Listing as Parameters } from '../schemas/listing.js'
import type { Projection } from '../schemas/listing.js'
import { partTextOf, textOf } from '../store/collection.js'
import type { Entry, Listing } from '../store/collection.js'

/** The URL parameters of a list, once they are parsed and the schema has judged them. */
export interface ListingParameters {
  readonly query?: JsonObject
  readonly projection?: Projection
}

/** What a list's parameters ask: which entries, and how they are then written. */
export interface CompiledListing {
  readonly listing: Listing
  /** The JSON texts of a page of entries. Throws BudgetExceeded. */
  readonly toTexts: (entries: readonly Entry[]) => Buffer[]
}

const NAMES = ['query', 'projection'] as const

/** How many characters the texts may have that are kept, with what was compiled of them. */
const CAPACITY = 1_000_000

/** So many characters are added to each text, as what is compiled of a short one is no smaller. */
const COMPILED = 500

/**
 * Reads what lists are asked with, and keeps what it made of a text for when it comes again. Each
 * server has one of its own.
 */
export class ListingReader {
  readonly #budget: number
  readonly #judge = judgeOf(Parameters, 'querystring')
  readonly #parsed = { query: cache<JsonObject>(), projection: cache<JsonObject>() }
  readonly #fields = cache<Fields>()
  readonly #selectors = new WeakMap<JsonObject, Selector>()
  readonly #pages = new WeakMap<Projection, Page>()

  /** @param budget the milliseconds that the evaluation of one list may take */
  constructor(budget: number) {
    this.#budget = budget
  }

  /**
   * Parses the JSON of `query` and `projection`; a preValidation hook, so that the schema judges
   * what they hold. Other parameters are ignored.
   */
  readonly parse = (request: FastifyRequest, _reply: unknown, done: () => void): void => {
    const given = request.query as Readonly<Record<string, string | string[] | undefined>>
    const parsed: Record<string, JsonObject> = {}
    for (const name of NAMES) {
      const text = given[name]
      if (text !== undefined) parsed[name] = this.#parseText(name, text)
    }
    request.query = parsed
    done()
  }

  /**
   * Checks parameters that come as objects, as those in a URL are.
   * @throws QueryInvalid, ProjectionInvalid, BoundExceeded
   */
  check({ query = ALL, projection = FIRST_PAGE }: ListingParameters): ListingParameters {
    const parameters = {
      query: parseJsonParameter('query', JSON.stringify(query)),
      projection: parseJsonParameter('projection', JSON.stringify(projection)),
    }
    const error = this.#judge(parameters)
    if (error !== undefined) throw error
    return parameters
  }

  /**
   * What the parsed parameters ask of a collection, and how its items are then written.
   * @throws QueryInvalid, ProjectionInvalid
   */
  compile({ query = ALL, projection = FIRST_PAGE }: ListingParameters): CompiledListing {
    const selector = kept(this.#selectors, query, compileSelector)
    const { order, skip, limit, fields } = kept(this.#pages, projection, this.#compilePage)
    const budget = new Budget(this.#budget)
    return {
      listing: { selector, order, skip, limit, budget },
      toTexts: (entries) => {
        if (fields === undefined) return entries.map(textOf)
        return evaluateFields(entries, fields, (entry) => partTextOf(entry, fields), budget)
      },
    }
  }

  #parseText(name: 'query' | 'projection', text: string | string[]): JsonObject {
    if (typeof text !== 'string')
      throw new ParameterInvalid(`${name} is given ${text.length} times; give it once`)
    if (text === '')
      throw new ParameterInvalid(`${name} is empty; leave it out or give a JSON object`)
    return this.#parsed[name].getOrMake(text, () => parseJsonParameter(name, text))
  }

  readonly #compilePage = ({
    sort = {},
    skip = 0,
    limit = DEFAULT_LIMIT,
    fields = {},
  }: Projection): Page => ({
    order: compileOrder(sort),
    skip,
    limit,
    fields: this.#compileFields(fields as JsonObject),
  })

  /** The same fields are the same function, by which `partTextOf` knows them; none are not kept. */
  #compileFields(fields: JsonObject): Fields | undefined {
    const text = JSON.stringify(fields)
    const known = this.#fields.get(text)
    if (known !== undefined) return known
    const made = compileFields(fields)
    if (made !== undefined) this.#fields.set(text, made)
    return made
  }
}

const ALL: JsonObject = {}
const FIRST_PAGE: Projection = {}

/** A compiled projection. */
interface Page {
  readonly order: Order | undefined
  readonly skip: number
  readonly limit: number
  readonly fields: Fields | undefined
}

const cache = <Value>(): Cache<Value> =>
  new Cache<Value>(CAPACITY, (_value, text) => text.length + COMPILED)

function kept<Key extends object, Value>(
  values: WeakMap<Key, Value>,
  key: Key,
  make: (key: Key) => Value,
): Value {
  const known = values.get(key)
  if (known !== undefined) return known
  const made = make(key)
  values.set(key, made)
  return made
}
