import { asError } from '@materials-mock/json'

/** The meanings of the codes of Node's network errors. */
const MEANINGS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ECONNRESET: 'the server closed the connection',
  ENOTFOUND: 'there is no such host',
  EAI_AGAIN: 'the name of the host could not be looked up',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the network cannot be reached',
  ETIMEDOUT: 'the host does not answer',
  UND_ERR_CONNECT_TIMEOUT: 'the host does not answer',
  UND_ERR_SOCKET: 'the server closed the connection',
  UND_ERR_HEADERS_OVERFLOW: 'the headers of the response are too large',
}

/** The codes of errors of a certificate whose authority Node does not know. */
const UNKNOWN_AUTHORITY = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
])

/**
 * Describes in a few words why there was no response: `nothing listens there`.
 * @param error the error of `fetch`, or of a request of `node:http`. Its `proxy` is named
 */
export function describeNetworkError(error: unknown): string {
  const { proxy } = error as { readonly proxy?: string }
  const reason = describeReason(asError(error))
  return proxy === undefined ? reason : `through the proxy ${proxy}: ${reason}`
}

function describeReason(error: Error): string {
  const { name, message, cause } = error
  if (name === 'TimeoutError') return 'the server accepted the request and did not answer in time'
  if (name === 'AbortError') return 'the request was ended'
  const found = findCause('code' in error ? error : cause)
  if (found === undefined) return message
  if (found.name === 'HTTPParserError') return `what it sends is not HTTP (${found.message})`
  const { code = '' } = found
  if (UNKNOWN_AUTHORITY.has(code))
    return `its certificate is of an authority that Node does not know (${code}); set NODE_EXTRA_CA_CERTS to the file of the authority's certificate`
  const meaning = MEANINGS[code]
  return meaning === undefined ? found.message : `${meaning} (${code})`
}

/** Returns the error that an error is caused by. A host with several addresses has an error for each address. */
function findCause(cause: unknown): NodeJS.ErrnoException | undefined {
  if (!(cause instanceof Error)) return undefined
  const [first] = cause instanceof AggregateError ? (cause.errors as Error[]) : []
  return findCause(cause.cause) ?? first ?? cause
}
