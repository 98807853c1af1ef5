import { isJsonObject } from '../../json/json.js'
import type { ApiRequest, ApiResponse } from './api-client.js'

/** The two headers that every protected endpoint needs. */
export interface CredentialHeaders {
  readonly 'X-Account-Id': string
  readonly 'X-Auth-Token': string
}

/** A username and a password. */
export interface Login {
  readonly username: string
  readonly password: string
}

/** Returns the request of a login: form-encoded, and without the two headers. */
export const toLoginRequest = ({ username, password }: Login): ApiRequest => ({
  method: 'POST',
  path: '/login',
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  body: new URLSearchParams({ username, password }).toString(),
})

/**
 * Returns the credentials of a successful login, or undefined if the response has none. They may be
 * in the envelope, as older versions of the platform's Python client need them.
 */
export function readCredentials({ status, json }: ApiResponse): CredentialHeaders | undefined {
  if (status !== 200 || !isJsonObject(json)) return undefined
  const { 'X-Account-Id': accountId, 'X-Auth-Token': token } = isJsonObject(json.data)
    ? json.data
    : json
  if (typeof accountId !== 'string' || typeof token !== 'string') return undefined
  return { 'X-Account-Id': accountId, 'X-Auth-Token': token }
}
