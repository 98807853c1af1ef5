import type { IncomingMessage } from 'node:http'

/** The path of a sandbox at the start of a path. */
const SANDBOX_PATH = /^\/sandboxes\/([^/?]+)(?=[/?]|$)/

/** The path of a sandbox before a path that each sandbox has. The pages belong to the server alone. */
const REMOVED_PATH = new RegExp(`${SANDBOX_PATH.source}(?=/(?:api|__admin|oidc|storage)(?:[/?]|$))`)

/**
 * For Fastify's `rewriteUrl`, so that routes, guards, journal and upstream see one path, without
 * that of a sandbox. `originalUrl` is the target as it was sent.
 */
export function rewriteTarget({ url = '' }: IncomingMessage): string {
  const target = normalizeTarget(url)
  const own = target.startsWith('/sandboxes/') ? target.replace(REMOVED_PATH, '') : target
  return hasTooManyParameters(own) ? own.slice(0, own.indexOf('?')) : own
}

/** The largest number of parameters in a URL: that of Node's `querystring`. */
export const MAX_PARAMETERS = 1000

/** `rewriteTarget` leaves them out: the router would parse them before anything refuses them. */
export function hasTooManyParameters(target: string): boolean {
  let end = target.indexOf('?')
  for (let count = 0; end !== -1 && count < MAX_PARAMETERS; count += 1)
    end = target.indexOf('&', end + 1)
  return end !== -1
}

/**
 * @param url as `rewriteTarget` returns it
 * @param originalUrl the target as it was sent
 */
export const parseSandboxPath = (url: string, originalUrl: string): string | undefined =>
  url !== originalUrl || url.startsWith('/sandboxes/')
    ? SANDBOX_PATH.exec(normalizeTarget(originalUrl))?.[1]
    : undefined

/** Matches a target whose path may not be normalized: it has an escape or a segment of dots. */
const NOT_NORMALIZED = /^[^?]*(?:%|\/\.)/

/** Escapes of characters that need none: `-`, `.`, digits, letters, `_` and `~`. */
const NEEDLESS_ESCAPES = /(?:%(?:2[de]|3\d|[46][1-9a-f]|[57][0-9a]|5f|7e))+/gi

/**
 * A target may be a URL (RFC 9112, section 3.2.2). Paths lose segments of dots and needless escapes
 * (RFC 3986, section 6.2.2). Any other target stays as it is.
 */
function normalizeTarget(target: string): string {
  if (target.startsWith('/') && !NOT_NORMALIZED.test(target)) return target
  const own = target.replace(/^https?:\/\/[^/?]+\/?/i, '/')
  if (!own.startsWith('/')) return target
  const [path = '', parameters] = own.split(/\?(.*)/s)
  const decoded = path.replace(NEEDLESS_ESCAPES, decodeURIComponent)
  return removeDotSegments(decoded) + (parameters === undefined ? '' : `?${parameters}`)
}

/** Resolves the segments `.` and `..` of a path (RFC 3986, section 5.2.4). */
function removeDotSegments(path: string): string {
  const kept: string[] = []
  const segments = path.split('/').slice(1)
  for (const segment of segments) {
    if (segment === '..') kept.pop()
    else if (segment !== '.') kept.push(segment)
  }
  if (/^\.\.?$/.test(segments.at(-1) ?? '')) kept.push('') // what is left ends in a slash
  return `/${kept.join('/')}`
}

const ENDS: ReadonlySet<string | undefined> = new Set([undefined, '/', '?'])

/** Whether the normalized URL of a request has a path, or a path below it. */
export const isWithin = (url: string, path: string): boolean =>
  url.startsWith(path) && ENDS.has(url[path.length])
