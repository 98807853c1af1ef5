import type { OutgoingRequest } from '../clients/send-request.js'

/** Returns a GET with JSON parameters. */
export function getWith(
  path: string,
  parameters: Readonly<Record<string, unknown>>,
): OutgoingRequest {
  const texts = new URLSearchParams()
  for (const [name, value] of Object.entries(parameters)) texts.set(name, JSON.stringify(value))
  return { method: 'GET', path: `${path}?${texts}` }
}

/** Returns a request with a JSON body. */
export const sendJson = (method: string, path: string, body: unknown): OutgoingRequest => ({
  method,
  path,
  headers: { 'content-type': 'application/json' },
  body: typeof body === 'string' ? body : JSON.stringify(body),
})

/** Returns a pattern that backtracks a lot in every text; each index gives another one. */
export const toSlowPattern = (index: number): string => `(.*)*x${index}`
