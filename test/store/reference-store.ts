import type { JsonObject } from '../../src/json/json.js'

/** The accounts of the model: each sees its own items and those of nobody. */
export const ACCOUNTS = ['ann', 'bob'] as const

/** What a server answers, without the times, which are the server's own. */
export interface Answer {
  readonly status: number
  readonly data: JsonObject
}

/** A plain array of items, and what each verb does to it. */
export class Model {
  items: readonly JsonObject[]

  constructor(items: readonly JsonObject[]) {
    this.items = items
  }

  seenBy(account: string): readonly JsonObject[] {
    const other = ACCOUNTS.find((each) => each !== account)
    return this.items.filter(({ owner }) => (owner as JsonObject | undefined)?._id !== other)
  }

  find(account: string, id: string): JsonObject | undefined {
    return this.seenBy(account).find(({ _id }) => _id === id)
  }

  /** Adds what the server assigned the `_id` to. */
  add(account: string, _id: string, fields: JsonObject): void {
    if (fields.isDefault === true) this.endDefaults(account)
    const mine = { _id: account, slug: account }
    const owner = { ...mine, cls: 'Account' }
    const creator = { ...mine, cls: 'User' }
    this.items = [...this.items, { tags: [], isDefault: false, ...fields, owner, creator, _id }]
  }

  change(account: string, id: string, change: (item: JsonObject) => JsonObject): void {
    const item = this.find(account, id)
    if (item === undefined) return
    const changed = change(item)
    if (changed.isDefault === true && item.isDefault !== true) this.endDefaults(account)
    this.items = this.items.map((each) => (each === item ? changed : each))
  }

  remove(account: string, id: string): void {
    const item = this.find(account, id)
    this.items = this.items.filter((each) => each !== item)
  }

  endDefaults(account: string): void {
    const seen = new Set(this.seenBy(account))
    this.items = this.items.map((item) =>
      seen.has(item) && item.isDefault === true ? { ...item, isDefault: false } : item,
    )
  }
}
