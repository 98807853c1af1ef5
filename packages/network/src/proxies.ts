import { existsSync } from 'node:fs'
import type { Agent } from 'node:http'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

import { getProxyForUrl } from 'proxy-from-env'

import { OptionsInvalid } from '@materials-mock/json'
import type * as Transport from './transport.js'

/** The hosts of this computer (RFC 6761, section 6.3). */
const THIS_COMPUTER = /^(?:(?:[\w-]+\.)*localhost|127(?:\.\d{1,3}){3}|0\.0\.0\.0|\[::1?\])$/i

export interface Proxy {
  /** Its URL without credentials, for messages. */
  readonly name: string
  /** The agent of `node:http` that sends requests through it. */
  readonly agent: Agent
}

/**
 * Finds the URL of the proxy for a URL, as `HTTP_PROXY`, `HTTPS_PROXY` and `NO_PROXY` say, in capitals or not.
 * As curl has it, a host of `NO_PROXY` stands for its subdomains, too, and a proxy without a scheme is one of
 * http. Requests to this computer pass no proxy.
 * @throws OptionsInvalid for a proxy that can't be used; the message has no password
 */
function findProxyUrl({ protocol, hostname, port, href }: URL): string | undefined {
  const parts = hostname.split('.')
  const hosts = parts.map((_, index) => `${protocol}//${parts.slice(index).join('.')}:${port}`)
  const isExcluded =
    THIS_COMPUTER.test(hostname) || hosts.some((host) => getProxyForUrl(host) === '')
  if (isExcluded) return undefined
  const found = getProxyForUrl(href)
  // The library puts the scheme of the URL before a proxy without one.
  const name = Object.keys(process.env).find((each) => process.env[each] === found)
  const proxy = name === undefined ? found.replace(/^https:/, 'http:') : found
  if (isUsable(proxy)) return proxy
  throw new OptionsInvalid(
    `${name ?? 'the proxy of the environment'} must be the URL of a proxy, such as http://user:password@proxy.example:8080; write a % of the password as %25`,
  )
}

/** Whether requests can be sent through a proxy: the user and the password are decoded for each. */
function isUsable(proxy: string): boolean {
  try {
    const { protocol, username, password } = new URL(proxy)
    decodeURIComponent(username + password)
    return protocol === 'http:' || protocol === 'https:'
  } catch {
    return false
  }
}

/** Loads what sends requests through proxies, at its first use: it is larger than all that most users need. */
function loadTransport(): typeof Transport {
  const beside = fileURLToPath(new URL('proxy-transport.cjs', import.meta.url))
  const built = fileURLToPath(new URL('../../../dist/proxy-transport.cjs', import.meta.url))
  return createRequire(import.meta.url)(existsSync(beside) ? beside : built)
}

/**
 * @param fetch sends requests without a proxy
 * @throws the error of `fetch`, whose `proxy` is the proxy
 */
export async function fetchThroughProxy(
  url: URL | string,
  init: RequestInit = {},
  fetch: typeof globalThis.fetch = globalThis.fetch,
): Promise<Response> {
  const proxy = findProxyUrl(new URL(url))
  if (proxy === undefined) return fetch(url, init)
  return loadTransport().fetchThrough(proxy, String(url), init)
}

/** Finds the proxy for requests of `node:http` to a URL; undefined without one. */
export function findProxy(url: URL): Proxy | undefined {
  const proxy = findProxyUrl(url)
  if (proxy === undefined) return undefined
  return { name: new URL(proxy).origin, agent: loadTransport().createAgent(proxy, url) }
}
