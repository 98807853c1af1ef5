import type { Agent } from 'node:http'

import { HttpProxyAgent } from 'http-proxy-agent'
import { HttpsProxyAgent } from 'https-proxy-agent'
import { ProxyAgent, fetch } from 'undici'
import { asError } from '@materials-mock/json'

/** A bundle of its own, `dist/proxy-transport.cjs`, because most users never load it. */

/** The agents by the URLs of their proxies. They keep connections. */
const AGENTS = new Map<string, ProxyAgent>()

/** @throws the error of `fetch`, whose `proxy` is the proxy without credentials */
export async function fetchThrough(
  proxy: string,
  url: string,
  init: RequestInit,
): Promise<Response> {
  const dispatcher = AGENTS.get(proxy) ?? new ProxyAgent({ uri: proxy, proxyTunnel: false })
  AGENTS.set(proxy, dispatcher)
  try {
    return (await fetch(url, { ...(init as object), dispatcher })) as Response
  } catch (error) {
    throw Object.assign(asError(error), { proxy: new URL(proxy).origin })
  }
}

export const createAgent = (proxy: string, { protocol }: URL): Agent =>
  protocol === 'https:' ? new HttpsProxyAgent(proxy) : new HttpProxyAgent(proxy)
