/** Whether a host names this computer alone: localhost, its subdomains, 127.0.0.0/8 and ::1. */
export const isLoopback = (host: string): boolean =>
  /^(?:(?:[\w-]+\.)*localhost|127(?:\.\d{1,3}){3}|\[?::1\]?)$/i.test(host)

/** Whether this computer serves the pages of an origin, as browsers send it (RFC 6454, section 6.2). */
export function isLoopbackOrigin(origin: string): boolean {
  if (!URL.canParse(origin)) return false
  const { origin: serialized, protocol, hostname } = new URL(origin)
  return serialized === origin && /^https?:$/.test(protocol) && isLoopback(hostname)
}
