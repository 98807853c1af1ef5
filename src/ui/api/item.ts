/** Any JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject

/** Any JSON object. */
export interface JsonObject {
  readonly [key: string]: Json | undefined
}

/** An item of a resource; `fields` can leave out any part of it. */
export interface Item extends JsonObject {
  readonly _id?: string
}

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
