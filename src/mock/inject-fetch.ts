import type { FastifyInstance, InjectOptions } from 'fastify'

/** Statuses whose responses have no body (Fetch standard, "null body status"). */
const NULL_BODY_STATUSES: ReadonlySet<number> = new Set([204, 205, 304])

/**
 * Sends a request of the Fetch standard (https://fetch.spec.whatwg.org) to a server without a port,
 * and returns the response that `fetch` would.
 * @throws TypeError for a dropped connection, as `fetch` does
 * @throws the reason of the request's signal for an aborted request
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
  const hasNoBody = request.method === 'HEAD' || NULL_BODY_STATUSES.has(response.statusCode)
  return new Response(hasNoBody ? null : new Uint8Array(response.rawPayload), {
    status: response.statusCode,
    statusText: response.statusMessage,
    headers,
  })
}
