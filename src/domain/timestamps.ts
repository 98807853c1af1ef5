import type { JsonObject } from '../json/json.js'

/**
 * Returns the item with `updatedAt` set to the current time (ISO 8601, UTC).
 * @param accountId the `_id` of the account that changes the item
 */
export const touch = (item: JsonObject, accountId: string): JsonObject => ({
  ...item,
  updatedAt: new Date().toISOString(),
  updatedBy: accountId,
})
