import { randomBytes } from 'node:crypto'

import type { Credentials } from '@materials-mock/client'
import { isJsonObject } from '@materials-mock/json'
import type { JsonObject } from '@materials-mock/json'
import type { ApiClient } from './api-client.js'
import { listPath } from './list-path.js'
import type { Lists } from './list-path.js'
import { isItem } from './sample.js'

const NAMES = { limit: 500, fields: { _id: 1, name: 1 } }

/** A mark in their names finds, and deletes, even those whose creation was not answered. */
export class WrittenItems {
  /** The start of the names: `materials-mock check 5f0c…`. */
  readonly mark = `materials-mock check ${randomBytes(8).toString('hex')}`
  readonly #ids = new Set<string>()

  constructor(readonly resource: string) {}

  /** Records the item in the body of a response, if it is one of these. */
  record(json: unknown): void {
    const data = isJsonObject(json) ? json.data : undefined
    if (this.#isOurs(data)) this.#ids.add(data._id)
  }

  /** @returns the `_id`s that are still there or, without a list, whose deletion did not succeed */
  async delete(client: ApiClient, credentials: Credentials, lists?: Lists): Promise<string[]> {
    const headers = { ...credentials }
    const find = (query: JsonObject): Promise<string[] | undefined> =>
      this.#find(client, headers, listPath(this.resource, query, NAMES, lists))
    for (const id of (await find({ name: { $regex: `^${this.mark}` } })) ?? []) this.#ids.add(id)
    const undeleted: string[] = []
    for (const id of this.#ids) {
      const path = `/${this.resource}/${encodeURIComponent(id)}`
      const response = await client.send({ method: 'DELETE', path, headers }).catch(() => undefined)
      if (response?.status !== 200 && response?.status !== 404) undeleted.push(id)
    }
    return (await find({ _id: { $in: [...this.#ids] } })) ?? undeleted
  }

  /** Finds items of a list, if the answer is one. A wrong answer must not lead to the deletion of another item. */
  async #find(
    client: ApiClient,
    headers: Record<string, string>,
    path: string,
  ): Promise<string[] | undefined> {
    const response = await client.send({ path, headers }).catch(() => undefined)
    const data = isJsonObject(response?.json) ? response.json.data : undefined
    return Array.isArray(data)
      ? data.filter((item) => this.#isOurs(item)).map(({ _id }) => _id)
      : undefined
  }

  #isOurs(item: unknown): item is { _id: string } {
    return isItem(item) && typeof item.name === 'string' && item.name.startsWith(this.mark)
  }
}
