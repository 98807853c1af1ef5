import type { IncomingMessage } from 'node:http'

/** The path of a sandbox at the start of a path. */
const SANDBOX_PATH = /^\/sandboxes\/([^/?]+)(?=[/?]|$)/

/** The path of a sandbox before a path that each sandbox has. The pages belong to the server alone. */
const REMOVED_PATH = new RegExp(`${SANDBOX_PATH.source}(?=/(?:api|__admin|oidc|storage)(?:[/?]|$))`)

/**
 * Normalizes a request target, and removes the path of a sandbox from it, so that a sandbox needs no
 * routes of its own. For Fastify's `rewriteUrl`, so that routes, guards, journal and upstream see the
 * same path; `originalUrl` is the target as it was sent.
 */
export function rewriteTarget({ url = '' }: IncomingMessage): string {
  const target = normalizeTarget(url)
  return target.startsWith('/sandboxes/') ? target.replace(REMOVED_PATH, '') : target
}

/**
 * Returns the name of the sandbox whose path a request has.
 * @param url the target as `rewriteTarget` returns it
 * @param originalUrl the target as it was sent
 */
export const parseSandboxPath = (url: string, originalUrl: string): string | undefined =>
  url !== originalUrl || url.startsWith('/sandboxes/')
    ? SANDBOX_PATH.exec(normalizeTarget(originalUrl))?.[1]
    : undefined

/** Matches a target whose path may not be normalized: it has an escape or a segment of dots. */
const NOT_NORMALIZED = /^[^?]*(?:%|\/\.)/

/**
 * Returns the path and the parameters of a request target, which may be a URL (RFC 9112, section
 * 3.2.2). The path is normalized (RFC 3986, section 6.2.2): without segments of dots, and without
 * escapes of characters that need none. Any other target stays as it is.
 */
function normalizeTarget(target: string): string {
  if (target.startsWith('/') && !NOT_NORMALIZED.test(target)) return target
  const own = target.replace(/^https?:\/\/[^/?]+\/?/i, '/')
  if (!own.startsWith('/')) return target
  const [path = '', parameters] = own.split(/\?(.*)/s)
  const decoded = path.replace(/%([0-9a-f]{2})/gi, (escape, hex: string) => {
    const character = String.fromCharCode(Number.parseInt(hex, 16))
    return /[\w.~-]/.test(character) ? character : escape
  })
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

/** What follows a path: nothing, a path below it, or parameters. */
const ENDS: ReadonlySet<string | undefined> = new Set([undefined, '/', '?'])

/** Whether the normalized URL of a request has a path, or a path below it. */
export const isWithin = (url: string, path: string): boolean =>
  url.startsWith(path) && ENDS.has(url[path.length])
