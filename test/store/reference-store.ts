import type { JsonObject } from '@materials-mock/json'

/** The accounts of the reference store. Each sees its own items and those without an owner. */
export const ACCOUNTS = ['ann', 'bob'] as const

/** The status and the data of a response. */
export interface Result {
  readonly status: number
  readonly data: JsonObject
}

/** A plain array of items with the writes of the API, to compare a server with. */
export class ReferenceStore {
  items: readonly JsonObject[]

  constructor(items: readonly JsonObject[]) {
    this.items = items
  }

  visibleTo(account: string): readonly JsonObject[] {
    return this.items.filter((item) => isVisibleTo(account, item))
  }

  find(account: string, id: string): JsonObject | undefined {
    return this.visibleTo(account).find(({ _id }) => _id === id)
  }

  /** Adds an item with the `_id` that the server assigned. */
  add(account: string, _id: string, fields: JsonObject): void {
    const reference = { _id: account, slug: account }
    const owner = { ...reference, cls: 'Account' }
    const creator = { ...reference, cls: 'User' }
    const item = { tags: [], isDefault: false, ...fields, owner, creator, _id }
    if (fields.isDefault === true) this.clearDefaults(item)
    this.items = [...this.items, item]
  }

  change(account: string, id: string, change: (item: JsonObject) => JsonObject): void {
    const item = this.find(account, id)
    if (item === undefined) return
    const changed = change(item)
    if (changed.isDefault === true && item.isDefault !== true) this.clearDefaults(item)
    this.items = this.items.map((each) => (each === item ? changed : each))
  }

  remove(account: string, id: string): void {
    const item = this.find(account, id)
    this.items = this.items.filter((each) => each !== item)
  }

  /** Clears the defaults of each account that sees an item. */
  clearDefaults(item: JsonObject): void {
    for (const account of ACCOUNTS.filter((each) => isVisibleTo(each, item))) {
      this.items = this.items.map((each) =>
        isVisibleTo(account, each) && each.isDefault === true
          ? { ...each, isDefault: false }
          : each,
      )
    }
  }
}

function isVisibleTo(account: string, { owner }: JsonObject): boolean {
  const other = ACCOUNTS.find((each) => each !== account)
  return (owner as JsonObject | undefined)?._id !== other
}
