import type { Credentials } from '@materials-mock/client'
import { isJsonObject } from '@materials-mock/json'
import type { Json, JsonObject } from '@materials-mock/json'
import type { ApiRequest, ApiResponse, Login } from './api-client.js'
import type { Deployment } from './deployment.js'
import { expectItems, expectSame, expectSuccess } from './expect.js'
import { listPath } from './list-path.js'
import { Lack } from './outcome.js'
import {
  describeCount,
  describeSample,
  distinct,
  findPaths,
  getAt,
  isScalar,
  toSample,
} from './sample.js'
import type { Item, Sample, SampledPath, Value } from './sample.js'

interface FoundValue<T> extends SampledPath {
  readonly value: T
}

/** Sends the requests of a statement, checks the responses, and finds values in the sample. */
export class Probe {
  constructor(
    readonly deployment: Deployment,
    readonly sample: Sample,
    readonly resource: string = deployment.resource,
  ) {}

  async of(resource: string): Promise<Probe> {
    if (resource === this.resource) return this
    const sample =
      this.deployment.samples.get(resource) ?? (await takeSample(this.deployment, resource))
    this.deployment.samples.set(resource, sample)
    return new Probe(this.deployment, sample, resource)
  }

  /** @throws Lack if the login returned no credentials */
  get credentials(): Credentials {
    const { credentials } = this.deployment
    if (credentials === undefined) throw new Lack('credentials', 'a login that gave none')
    return credentials
  }

  /** Sends a request unchanged, without credentials. */
  send(request: ApiRequest): Promise<ApiResponse> {
    return this.deployment.send(request)
  }

  request(request: ApiRequest): Promise<ApiResponse> {
    return this.send({ ...request, headers: { ...this.credentials, ...request.headers } })
  }

  /** Requests a short list with some of the headers, or with those of another session. */
  requestList(headers: Partial<Credentials>): Promise<ApiResponse> {
    return this.send({ path: this.listPath(undefined, { limit: 1 }), headers: { ...headers } })
  }

  logIn(login?: Login): Promise<ApiResponse> {
    return this.deployment.logIn(login)
  }

  /** Sends a request once for all statements that check the same response. */
  sendOnce(key: string, send: () => Promise<ApiResponse>): Promise<ApiResponse> {
    return this.deployment.sendOnce(key, send)
  }

  /** @throws Lack if the form that the deployment reads can't express the list */
  listPath(query?: JsonObject, projection?: JsonObject): string {
    return listPath(this.resource, query, projection, this.deployment.lists)
  }

  /** @throws Lack if lists ignore projection */
  needProjection(): void {
    if (this.deployment.lists === 'migrated')
      throw new Lack('lists that read projection', 'lists that drop it')
  }

  get(path: string): Promise<ApiResponse> {
    return this.request({ path })
  }

  /** @throws Mismatch if the answer is not a list of items */
  async list(query?: JsonObject, projection?: JsonObject): Promise<Item[]> {
    return expectItems(await this.getData(this.listPath(query, projection)))
  }

  /** @throws Mismatch if the answer is not a success */
  async getData(path: string): Promise<Json> {
    return expectSuccess(await this.get(path))
  }

  /** Returns the `_id`s of a list, with the query limited to the sample. */
  async listSampleIds(query: JsonObject, projection?: JsonObject): Promise<string[]> {
    const items = await this.list(this.withinSample(query), projection)
    return items.map(({ _id }) => _id)
  }

  withinSample(query: JsonObject): JsonObject {
    return { _id: { $in: this.sample.map(({ _id }) => _id) }, ...query }
  }

  /** Expects that a query, limited to the sample, returns the items for which the test is true. */
  async expectMatches(query: JsonObject, test: (item: Item) => boolean): Promise<void> {
    const expected = this.sample.filter(test).map(({ _id }) => _id)
    const actual = await this.listSampleIds(query)
    expectSame(actual.toSorted(), expected.toSorted())
  }

  /** Expects that a condition at a path, limited to the sample, finds the values that pass the test. */
  expectFound(path: string, condition: Json, test: (value: Value) => boolean): Promise<void> {
    return this.expectMatches({ [path]: condition }, (item) => test(getAt(item, path)))
  }

  /** @throws Lack if the sample has fewer items */
  take(count: number): readonly Item[] {
    const { length } = this.sample
    if (length >= count) return this.sample
    throw new Lack(describeCount(count), `${describeCount(length)} of ${this.resource}`)
  }

  /**
   * @param needed what the statement needs, in words
   * @throws Lack if no path has such values
   */
  findPath(needed: string, test: (values: readonly Value[], path: string) => boolean): SampledPath {
    const found = findPaths(this.sample).find(({ path, values }) => test(values, path))
    if (found === undefined) throw this.createLack(needed)
    return found
  }

  /** @param needed what the statement needs, in words */
  createLack(needed: string): Lack {
    return new Lack(needed, describeSample(this.sample, this.resource))
  }

  /** Returns the first path whose values are all scalars, and pass a test. */
  findScalarPath(
    needed: string,
    test: (values: readonly Value[], path: string) => boolean,
  ): SampledPath {
    return this.findPath(needed, (values, path) => values.every(isScalar) && test(values, path))
  }

  /**
   * Without arrays. One that only some items have is preferred, because it tells more.
   * @param needed what the statement needs, in words
   * @throws Lack
   */
  findValue<T extends Json>(
    needed: string,
    isKind: (value: Value) => value is T,
    isPath: (path: string) => boolean = () => true,
  ): FoundValue<T> {
    const found = findPaths(this.sample)
      .filter(({ path, values }) => isPath(path) && values.every(isScalar))
      .flatMap(({ path, values }) =>
        distinct(values.filter(isKind)).map((value) => ({ path, values, value })),
      )
    const telling = found.find(({ values, value }) => values.some((other) => other !== value))
    const result = telling ?? found[0]
    if (result === undefined) throw this.createLack(needed)
    return result
  }

  /**
   * Numbers, or strings.
   * @throws Lack if the sample has no such path
   */
  findDifferent<T extends number | string>(
    needed: string,
    isKind: (value: Value) => value is T,
    isTelling: (values: readonly T[]) => boolean = () => true,
  ): { readonly path: string; readonly values: readonly T[] } {
    for (const { path, values } of findPaths(this.sample)) {
      const ofType = values.filter((value) => typeof value === typeof values.find(isKind))
      const kept = distinct(values.filter(isKind))
      const isWhole = values.every(isScalar) && ofType.every(isKind)
      if (isWhole && kept.length > 1 && isTelling(kept)) return { path, values: kept }
    }
    throw this.createLack(needed)
  }
}

/**
 * @param id the `_id`, or the position of an item in the sample
 * @throws Lack without one
 */
export const itemPath = (probe: Probe, id: string | number): string =>
  `/${probe.resource}/${encodeURIComponent(
    typeof id === 'string' ? id : (probe.take(id + 1)[id]?._id ?? ''),
  )}`

/** Looks at the first items by their `_id`, or at any items if the deployment can't sort them. */
export async function takeSample(
  deployment: Deployment,
  resource: string = deployment.resource,
): Promise<Sample> {
  const probe = new Probe(deployment, [], resource)
  for (const projection of [{ sort: { _id: 1 }, limit: 20 }, undefined]) {
    const list = await getList(probe, probe.listPath(undefined, projection))
    if (list !== undefined) return toSample(list)
  }
  return []
}

/** Returns a list, or undefined if there is none: the statements tell what is wrong with lists. */
export async function getList(probe: Probe, path: string): Promise<readonly unknown[] | undefined> {
  try {
    const { json } = await probe.get(path)
    return isJsonObject(json) && Array.isArray(json.data) ? json.data : undefined
  } catch {
    return undefined
  }
}
