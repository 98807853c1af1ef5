import { Type } from '@sinclair/typebox'

/** The options that pass requests on to a deployment. */
export const UPSTREAM_OPTIONS = {
  upstream: Type.Optional(
    Type.String({
      isValid: isServerUrl,
      expected: 'the URL of a server such as https://host, without user and parameters',
      title: 'URL',
      description: 'deployment that answers what the mock has no route for',
    }),
  ),
  upstreamRecord: Type.Optional(
    Type.String({
      minLength: 1,
      title: 'DIR',
      description: 'folder to keep the items of such answers in, as fixtures',
    }),
  ),
}

/** Whether a text is the URL of a server, without user and parameters. */
function isServerUrl(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, username, password, search, hash } = new URL(text)
  return /^https?:$/.test(protocol) && username + password + search + hash === ''
}

const LOOPBACK = /^(localhost|127\.[\d.]+|\[::1\])$/

/** Whether a URL is that of a server which listens on a host and a port. */
export function isUrlOf(url: string, host: string, port: number): boolean {
  const { hostname, port: text, protocol } = new URL(url)
  const urlPort = text === '' ? (protocol === 'https:' ? 443 : 80) : Number(text)
  return urlPort === port && (hostname === host || LOOPBACK.test(hostname))
}
