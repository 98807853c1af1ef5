/** A value that JSON can hold. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject

/** A JSON object; items, selectors and projections are such. Never mutated once it is read. */
export interface JsonObject {
  readonly [key: string]: Json
}

/** Whether a value is a JSON object: neither null nor a list. */
export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
