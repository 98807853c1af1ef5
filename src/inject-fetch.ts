import type { FastifyInstance, InjectOptions } from 'fastify'

/** Statuses whose answers have no body (Fetch standard, "null body status"). */
const NO_BODY = new Set([204, 205, 304])

/**
 * Answers a request of the Fetch standard (https://fetch.spec.whatwg.org) without a port: what
 * `fetch` would give of a server that listens. Rejects with a TypeError, as `fetch` does, where the
 * server drops the connection, and with the signal's reason where the request is aborted.
 */
export async function injectFetch(app: FastifyInstance, request: Request): Promise<Response> {
  const { pathname, search, host } = new URL(request.url)
  const body = request.body === null ? undefined : Buffer.from(await request.arrayBuffer())
  request.signal.throwIfAborted()
  const response = await app
    .inject({
      method: request.method as NonNullable<InjectOptions['method']>,
      url: pathname + search,
      headers: { ...Object.fromEntries(request.headers), host },
      signal: request.signal,
      ...(body && { payload: body }),
    })
    .catch((cause: unknown) => {
      request.signal.throwIfAborted()
      throw new TypeError('fetch failed', { cause })
    })
  const headers = new Headers()
  for (const [name, value] of Object.entries(response.headers))
    for (const each of [value].flat()) if (each !== undefined) headers.append(name, String(each))
  const isBodiless = request.method === 'HEAD' || NO_BODY.has(response.statusCode)
  return new Response(isBodiless ? null : new Uint8Array(response.rawPayload), {
    status: response.statusCode,
    statusText: response.statusMessage,
    headers,
  })
}
