import { validateHeaderValue } from 'node:http'
import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders } from 'node:http'

import { withoutUndefined } from '@materials-mock/json'

/** The header with the ids of the servers that have passed a request on. */
export const HOPS_HEADER = 'x-materials-mock-hops'

/** The header of a response that says which deployment has sent it. */
export const UPSTREAM_HEADER = 'x-materials-mock-upstream'

/** The headers of one connection, which no proxy passes on (RFC 9110, section 7.6.1). */
const HOP_BY_HOP: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

/** Each connection has its own, they ask for a part of a response, or they are for the mock. */
const NOT_SENT: ReadonlySet<string> = new Set([
  'host',
  'expect',
  'accept-encoding',
  'x-mock-sandbox',
  HOPS_HEADER,
])

/**
 * Returns the headers of a request to pass on, with the credentials as given.
 * @param hops the ids of the servers that have passed the request on, this server included
 */
export const toRequestHeaders = (
  headers: IncomingHttpHeaders,
  hops: string,
): OutgoingHttpHeaders => ({
  ...filter(headers, (name) => !NOT_SENT.has(name)),
  // Without these, Node sends the body of a GET unframed, and the deployment reads it as the next request.
  ...withoutUndefined({
    'content-length': headers['content-length'],
    'transfer-encoding': headers['transfer-encoding'],
  }),
  [HOPS_HEADER]: hops,
})

/** The headers of a response that speak for the whole origin, which is the mock's, or are the mock's own. */
const NOT_RETURNED: ReadonlySet<string> = new Set([
  'alt-svc',
  'clear-site-data',
  'service-worker-allowed',
  'strict-transport-security',
  'x-content-type-options',
  UPSTREAM_HEADER,
])

/** The media types of documents, whose scripts run: HTML, XML and SVG, parts of any type, and none. */
const DOCUMENT_TYPE = /html|xml|^multipart\/|^$/i

/** The scripts of a document run in an origin of their own: they can't call the mock's controls. */
export function toResponseHeaders(headers: IncomingHttpHeaders): OutgoingHttpHeaders {
  const returned = { ...filter(headers, isReturned), 'x-content-type-options': 'nosniff' }
  if (!DOCUMENT_TYPE.test(headers['content-type'] ?? '')) return returned
  const policies = [headers['content-security-policy'] ?? [], SANDBOX_POLICY].flat()
  return { ...returned, 'content-security-policy': policies.join(', ') }
}

const isReturned = (name: string): boolean =>
  !NOT_RETURNED.has(name) && !name.startsWith('access-control-')

/** The policy of a document that is passed on (Content Security Policy Level 3, section 6.3.2). */
const SANDBOX_POLICY = 'sandbox allow-scripts allow-forms allow-popups allow-downloads'

/** Returns why a response can't be passed on, such as its status 999, or undefined. */
export function describeUnsendable({
  statusCode = 0,
  headers,
}: IncomingMessage): string | undefined {
  if (statusCode < 200 || statusCode > 599)
    return `its status is ${statusCode}, not one from 200 to 599`
  const name = Object.keys(headers).find((each) => !isValueValid(each, headers[each]))
  return name === undefined
    ? undefined
    : `its header ${name} has a character that no header may have`
}

function isValueValid(name: string, value: string | string[] | undefined): boolean {
  try {
    for (const each of [value].flat()) validateHeaderValue(name, each!)
    return true
  } catch {
    return false
  }
}

function filter(
  headers: IncomingHttpHeaders,
  isPassedOn: (name: string) => boolean,
): OutgoingHttpHeaders {
  const named = new Set(
    (headers.connection ?? '').split(',').map((name) => name.trim().toLowerCase()),
  )
  return Object.fromEntries(
    Object.entries(headers).filter(
      ([name]) => !HOP_BY_HOP.has(name) && !named.has(name) && isPassedOn(name),
    ),
  )
}
