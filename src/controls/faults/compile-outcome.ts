import { validateHeaderName, validateHeaderValue } from 'node:http'

import type { FaultHeaders, FaultOutcome, PresetName } from '@materials-mock/api'
import { InputPath, quote, withoutUndefined } from '@materials-mock/json'
import type { Json } from '@materials-mock/json'
import { compileUpdate } from '@materials-mock/query'
import type { Update } from '@materials-mock/query'
import { BodyInvalid, BoundExceeded } from '../../errors.js'

/** A compiled outcome: the effect of a rule on one request. Without a value, the request passes. */
export interface CompiledOutcome extends Pick<
  FaultOutcome,
  'preset' | 'delay' | 'drop' | 'status' | 'message' | 'bandwidth'
> {
  /** The body that replaces the body of the response. Without it, a failure has the envelope. */
  readonly payload?: Buffer
  /** The headers that the response gets, with lower-case names. */
  readonly headers?: FaultHeaders
  readonly patch?: Update
}

/**
 * The preset's keys count as given.
 * @param prefix its path in messages, such as `sequence[1].`
 */
export function compileOutcome(given: FaultOutcome, prefix = ''): CompiledOutcome {
  const outcome: FaultOutcome =
    given.preset === undefined ? given : { ...PRESETS[given.preset], ...given }
  const problem = findContradiction(outcome)
  if (problem !== undefined) throw new BodyInvalid(prefix + problem)
  const { preset, delay, drop, status, body, message, bandwidth, patch } = outcome
  return withoutUndefined({
    preset,
    delay,
    drop,
    status,
    message,
    bandwidth,
    payload: body === undefined ? undefined : toPayload(body),
    headers: compileHeaders(outcome, prefix),
    patch: patch && compileUpdate(patch, new InputPath('body', `${prefix}patch`)),
  })
}

const toPayload = (body: Json): Buffer =>
  Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))

/** Statuses whose responses have no body (RFC 9110, sections 15.3.5, 15.3.6 and 15.4.5). */
export const EMPTY_STATUSES: ReadonlySet<number> = new Set([204, 205, 304])

function findContradiction(outcome: FaultOutcome): string | undefined {
  const { delay, status, message, retryAfter, headers, contentType, body } = outcome
  const { bandwidth, patch, drop } = outcome
  if (typeof delay === 'object' && delay.min > delay.max)
    return `delay.min must be at most delay.max, ${delay.max}, not ${delay.min}`
  if (status === undefined && message !== undefined) return 'message must come with a status'
  if (status === undefined && retryAfter !== undefined) return 'retryAfter must come with a status'
  if (status === undefined && body !== undefined) return 'body must come with a status'
  if (status !== undefined && status < 400 && message !== undefined)
    return `message must come with a status from 400 on, not ${status}`
  if (body !== undefined && message !== undefined)
    return "message can't come with a body, which replaces the envelope"
  if (body !== undefined && status !== undefined && EMPTY_STATUSES.has(status))
    return `body can't come with status ${status}, whose responses have no body`
  if (status !== undefined && patch !== undefined)
    return "patch can't come with a status: it changes the real response"
  if (drop === 'reset' || drop === 'hang') {
    const others = { status, headers, contentType, patch }
    const [key] = Object.entries(others).find(([, value]) => value !== undefined) ?? []
    if (key !== undefined) return `${key} can't come with drop "${drop}", which sends no response`
  }
  if (drop !== undefined && bandwidth !== undefined)
    return `bandwidth can't come with drop "${drop}"`
  return undefined
}

/** The statuses whose response has a `Retry-After` header by default (RFC 9110, RFC 6585). */
const RETRY_AFTER_STATUSES: ReadonlySet<number> = new Set([429, 503])

/** The headers that the server sets itself, with the alternative to each. */
const REFUSED_HEADERS: ReadonlyMap<string, string> = new Map([
  ['content-type', 'use contentType'],
  ['content-length', 'the server computes it'],
  ['transfer-encoding', 'the server chooses it'],
  ['connection', 'use drop to end the connection'],
  ['trailer', 'no response has trailers'],
])

const MAX_HEADERS = 50
const MAX_HEADERS_LENGTH = 8 * 1024

function compileHeaders(outcome: FaultOutcome, prefix: string): FaultHeaders | undefined {
  const { status, retryAfter, headers = {} } = outcome
  checkHeaders(headers, `${prefix}headers`)
  const compiled = new Map(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  )
  if (retryAfter !== undefined && compiled.has('retry-after'))
    throw new BodyInvalid(`${prefix}retryAfter can't come with the header retry-after`)
  if (retryAfter !== undefined) compiled.set('retry-after', String(retryAfter))
  else if (status !== undefined && RETRY_AFTER_STATUSES.has(status) && !compiled.has('retry-after'))
    compiled.set('retry-after', '1')
  const type = findContentType(outcome)
  if (type !== undefined) {
    checkHeader('content-type', type, `${prefix}contentType`)
    compiled.set('content-type', type)
  }
  return compiled.size === 0 ? undefined : Object.fromEntries(compiled)
}

function findContentType({ contentType, body }: FaultOutcome): string | undefined {
  if (contentType !== undefined || body === undefined) return contentType
  return `${typeof body === 'string' ? 'text/plain' : 'application/json'}; charset=utf-8`
}

function checkHeaders(headers: FaultHeaders, path: string): void {
  const names = Object.keys(headers)
  if (names.length > MAX_HEADERS)
    throw new BoundExceeded(`${path} must have at most ${MAX_HEADERS} headers, not ${names.length}`)
  const { length } = JSON.stringify(headers)
  if (length > MAX_HEADERS_LENGTH) {
    throw new BoundExceeded(
      `${path} must have at most ${MAX_HEADERS_LENGTH} characters of JSON, not ${length}`,
    )
  }
  const seen = new Set<string>()
  for (const [name, values] of Object.entries(headers)) {
    const refused = REFUSED_HEADERS.get(name.toLowerCase())
    if (refused !== undefined) throw new BodyInvalid(`${path} must not have ${name}; ${refused}`)
    if (seen.has(name.toLowerCase()))
      throw new BodyInvalid(`${path} must have ${name.toLowerCase()} once`)
    seen.add(name.toLowerCase())
    for (const value of [values].flat()) checkHeader(name, value, `${path}.${name}`)
  }
}

/** @throws BodyInvalid for a name or a value that HTTP can't send */
function checkHeader(name: string, value: string, path: string): void {
  try {
    validateHeaderName(name)
  } catch {
    throw new BodyInvalid(`${path} must have the name of a header, not ${quote(name)}`)
  }
  try {
    validateHeaderValue(name, value)
  } catch {
    throw new BodyInvalid(
      `${path} must be the value of a header, without line breaks and characters beyond Latin-1, not ${quote(value)}`,
    )
  }
}

/** Returns an error page as nginx sends it (ngx_http_special_response.c). */
const toErrorPage = (title: string): string =>
  [
    '<html>',
    `<head><title>${title}</title></head>`,
    '<body>',
    `<center><h1>${title}</h1></center>`,
    '<hr><center>nginx</center>',
    '</body>',
    '</html>',
    '',
  ].join('\r\n')

const createErrorPage = (status: number, title: string): FaultOutcome => ({
  status,
  contentType: 'text/html',
  body: toErrorPage(`${status} ${title}`),
})

const LOGIN_PAGE = `<!doctype html>
<html lang="en">
<head><title>Sign in</title></head>
<body><form method="post"><input name="username"><input name="password" type="password"></form></body>
</html>
`

const PRESETS: Readonly<Record<PresetName, FaultOutcome>> = {
  // If an endpoint of Restivus does not catch an error, its web server sends this response.
  'restivus-crash': { status: 500, contentType: 'text/html', body: 'Server error.' },
  'bad-gateway': createErrorPage(502, 'Bad Gateway'),
  'gateway-timeout': createErrorPage(504, 'Gateway Time-out'),
  maintenance: { ...createErrorPage(503, 'Service Temporarily Unavailable'), retryAfter: 120 },
  // The response of Restivus to a request without a login.
  'session-expired': {
    status: 401,
    body: { status: 'error', message: 'You must be logged in to do this.' },
  },
  'rate-limit': {
    status: 429,
    retryAfter: 10,
    body: { status: 'error', message: 'Error, too many requests. Please slow down.' },
  },
  // A proxy with its own sign-on answers in place of the API, with status 200.
  'login-page': { status: 200, contentType: 'text/html; charset=utf-8', body: LOGIN_PAGE },
  // The numbers of Chrome's developer tools for 3G: 400 kbit/s and 2 s.
  'slow-3g': { delay: 2000, bandwidth: 50_000 },
}
