import type { Json } from './json.js'

/** Parses a text, or returns it if it is not JSON. */
export function parseIfJson(text: string): Json {
  try {
    return JSON.parse(text) as Json
  } catch {
    return text
  }
}
