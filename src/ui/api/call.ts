import { ApiError, sendForAnswer } from '../http/send.js'
import type { Answer, SendOptions } from '../http/send.js'
import { renewSession, session } from '../session/session.js'

/** The path of the API's version that the page uses. */
export const API = '/api/2018-10-01'

/**
 * Sends a request to a path below the API with the credentials of the session. If the session has
 * ended, for example by a reset, the page opens another session and sends the request again.
 * @throws ApiError as `send` does
 */
export const call = async <Data>(path: string, options: SendOptions = {}): Promise<Data> =>
  (await callForAnswer<Data>(path, options)).data

/**
 * Sends a request as `call` does, and returns the headers of the response too.
 * @throws ApiError as `send` does
 */
export async function callForAnswer<Data>(
  path: string,
  options: SendOptions,
): Promise<Answer<Data>> {
  const request = (): Promise<Answer<Data>> =>
    sendForAnswer<Data>(API + path, {
      ...options,
      headers: { ...options.headers, ...session.value?.headers },
    })
  try {
    return await request()
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 401)) throw error
    await renewSession()
    if (session.value === undefined) throw error
    return request()
  }
}

/** Returns a path with the parameters that have a value. */
export function withParameters(
  path: string,
  parameters: Readonly<Record<string, string | undefined>>,
): string {
  const given = Object.entries(parameters).filter((entry): entry is [string, string] =>
    Boolean(entry[1]),
  )
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`
}
