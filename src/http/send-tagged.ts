import type { FastifyReply, FastifyRequest } from 'fastify'

/** The content codings that pages are sent with (RFC 9110, section 8.4.1). */
export type Encoding = 'br' | 'gzip' | 'identity'

/** Returns the best coding that a client accepts (RFC 9110, section 12.5.3). */
export function acceptedEncoding({ headers }: FastifyRequest): Encoding {
  const codings = (headers['accept-encoding'] ?? '').toString().split(',')
  const accepted = new Set(
    codings
      .filter((each) => !/;\s*q=0(?:\.0*)?\s*$/.test(each))
      .map((each) => each.split(';')[0]?.trim().toLowerCase()),
  )
  return accepted.has('br') ? 'br' : accepted.has('gzip') ? 'gzip' : 'identity'
}

/** Sets `Content-Encoding`, and `Vary`, because another request may get another coding. */
export function setEncoding(reply: FastifyReply, encoding: Encoding): void {
  const vary = reply.getHeader('vary')
  reply.header('vary', vary === undefined ? 'Accept-Encoding' : `${String(vary)}, Accept-Encoding`)
  if (encoding !== 'identity') reply.header('content-encoding', encoding)
}

/** Sends a content, or 304 if the client has the content with this tag. */
export function sendTagged(
  request: FastifyRequest,
  reply: FastifyReply,
  tag: string,
  content: Buffer | string,
): FastifyReply {
  const etag = `"${tag}"`
  reply.header('etag', etag)
  return isKnown(request, etag) ? reply.code(304).send() : reply.send(content)
}

/** Whether a client has the content with this ETag: it names the tag, weak or not, or any (RFC 9110, section 13.1.2). */
function isKnown({ headers }: FastifyRequest, etag: string): boolean {
  const known = headers['if-none-match'] ?? ''
  return known === '*' || [...known.matchAll(/"[^"]*"/g)].some(([tag]) => tag === etag)
}
