/** What the codes of Node's network errors mean. */
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
  HPE_INVALID_CONSTANT: 'what it sends is not HTTP',
}

/** Describes in a few words why `fetch` got no response: `nothing listens there`. */
export function describeNetworkError(error: unknown): string {
  const { name, message, cause } = error as Error
  if (name === 'TimeoutError') return 'the server accepted the request and did not answer in time'
  if (name === 'AbortError') return 'the request was ended'
  const { code, message: reason } = findCause(cause) ?? { code: undefined, message }
  const meaning = MEANINGS[code ?? '']
  if (meaning !== undefined) return `${meaning} (${code})`
  return code?.startsWith('HPE_') === true ? `what it sends is not HTTP (${code})` : reason
}

/** Returns the first error that has a code: a host with several addresses has an error of each. */
function findCause(cause: unknown): NodeJS.ErrnoException | undefined {
  if (!(cause instanceof Error)) return undefined
  const [first] = cause instanceof AggregateError ? (cause.errors as Error[]) : []
  return first ?? cause
}
