/** The longest time that a client waits because a server asks it to, in ms. */
const MAX_DELAY = 120_000

/**
 * Returns the time in ms that a server asks to wait before the same request is sent again, or
 * undefined if it does not ask: the `Retry-After` of a 429 or a 503, as seconds or as a date (RFC
 * 9110, section 10.2.3). A time above two minutes is not waited for.
 */
export function getRetryDelay(
  status: number,
  headers: Headers,
  now: number = Date.now(),
): number | undefined {
  const value = headers.get('retry-after')?.trim()
  if ((status !== 429 && status !== 503) || value === undefined || value === '') return undefined
  const delay = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - now
  if (Number.isNaN(delay) || delay > MAX_DELAY) return undefined
  return Math.max(0, delay)
}
