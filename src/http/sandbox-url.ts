import type { IncomingMessage } from 'node:http'

import type { FastifyRequest } from 'fastify'

/** The path of a sandbox at the start of a request target, which may be an absolute URL. */
const SANDBOX_PATH = /^((?:https?:\/\/[^/?]*)?)\/sandboxes\/([^/?]+)(?=[/?]|$)/i

/** The same before a path that each sandbox has. Pages are those of the server. */
const REMOVED_PATH = new RegExp(
  `${SANDBOX_PATH.source}(?=/(?:api|__admin|oidc|storage)(?:[/?]|$))`,
  'i',
)

/** Whether a request target may be one in a sandbox: most are not, and need no regular expression. */
const mayBeInSandbox = (url: string): boolean =>
  url.startsWith('/sandboxes/') || !url.startsWith('/')

/**
 * Removes the path of a sandbox from a request target, so that a sandbox needs no routes of its own.
 * For Fastify's `rewriteUrl`, which keeps the whole target as `originalUrl`.
 */
export const removeSandboxPath = ({ url = '' }: IncomingMessage): string =>
  mayBeInSandbox(url) ? url.replace(REMOVED_PATH, '$1') : url

/** Returns the name of the sandbox whose path a request target has. */
export const parseSandboxPath = (url: string): string | undefined =>
  mayBeInSandbox(url) ? SANDBOX_PATH.exec(url)?.[2] : undefined

/** Returns the URL that stands before the paths of a request's sandbox, such as that of `/api`. */
export const toBaseUrl = ({
  protocol,
  host,
  sandbox,
}: Pick<FastifyRequest, 'protocol' | 'host' | 'sandbox'>): string =>
  `${protocol}://${host}${sandbox.path}`
