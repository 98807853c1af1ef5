/** The two credentials of a session or of the account preferences, as headers. */
export interface Credentials {
  readonly 'X-Account-Id': string
  readonly 'X-Auth-Token': string
}

/**
 * Returns the credentials in the JSON of a login, or undefined if there are none. Some deployments wrap them
 * in `data`.
 */
export function readCredentials(json: unknown): Credentials | undefined {
  const { data } = (json ?? {}) as { readonly data?: unknown }
  const fields = (data ?? json ?? {}) as Readonly<Record<string, unknown>>
  const { 'X-Account-Id': id, 'X-Auth-Token': token } = fields
  if (typeof id !== 'string' || typeof token !== 'string') return undefined
  return { 'X-Account-Id': id, 'X-Auth-Token': token }
}
