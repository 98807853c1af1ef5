import type { JsonObject } from '../json/json.js'

/** Returns the item with `updatedAt` set to the current time (ISO 8601, UTC). */
export const touch = (item: JsonObject): JsonObject => ({
  ...item,
  updatedAt: new Date().toISOString(),
})
