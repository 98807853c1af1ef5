import type { JournalItem } from '@materials-mock/api'
import { HIDDEN, isJsonObject } from '@materials-mock/json'
import { REPLAY_HEADER, basePath, readStatus } from '../http/send.js'
import { formatCurl } from '../search/request-snippets.js'
import { openSessionOf, session } from '../session/session.js'
import type { Credentials } from '../session/session.js'

/** Headers that matter to the API. The browser or curl sets the other headers. */
const KEPT_HEADERS = ['accept', 'content-type', 'prefer']

/**
 * As its account; recorded, with faults.
 * @returns the status
 * @throws Error without the whole request
 */
export async function replay(record: JournalItem): Promise<number> {
  const body = readBody(record)
  const credentials = hasCredentials(record) ? await findCredentials(record) : undefined
  const response = await fetch(basePath() + record.url, {
    method: record.method,
    headers: { ...keptHeaders(record), ...credentials, ...REPLAY_HEADER },
    body: body ?? null,
  })
  return readStatus(response)
}

/**
 * With the page's credentials.
 * @throws Error if the journal does not have the whole request
 */
export function toCurl(record: JournalItem): string {
  const credentials = hasCredentials(record) ? session.value?.headers : undefined
  return formatCurl({
    origin: location.origin + basePath(),
    path: record.url,
    method: record.method,
    headers: { ...keptHeaders(record), ...credentials },
    parameters: {},
    body: readBody(record),
  })
}

const hasCredentials = ({ headers }: JournalItem): boolean =>
  headers['x-auth-token'] !== undefined || headers.authorization !== undefined

async function findCredentials({ accountId }: JournalItem): Promise<Credentials | undefined> {
  const own = session.value?.headers
  if (accountId === null || accountId === own?.['X-Account-Id']) return own
  return (await openSessionOf(accountId)) ?? own
}

const keptHeaders = ({ headers }: JournalItem): Record<string, string> =>
  Object.fromEntries(
    KEPT_HEADERS.filter((name) => typeof headers[name] === 'string').map((name) => [
      name,
      String(headers[name]),
    ]),
  )

function readBody({ url, body, headers }: JournalItem): string | undefined {
  if (url.includes(HIDDEN)) throw new Error('its URL has a secret, which the journal has masked')
  if (body === null) return undefined
  const isForm = String(headers['content-type']).includes('x-www-form-urlencoded')
  if (isJsonObject(body) && (body.tooLong !== undefined || typeof body.bytes === 'number'))
    throw new Error('the journal does not have the whole body that it would send')
  const text =
    typeof body === 'string'
      ? body
      : isForm
        ? String(new URLSearchParams(body as Record<string, string>))
        : JSON.stringify(body)
  if (text.includes(isForm ? encodeURIComponent(HIDDEN) : HIDDEN))
    throw new Error('its body has a secret, which the journal has masked')
  return text
}
