import type { ApiRequest } from './client/api-client.js'
import { Description } from './outcome.js'

/** The longest text of a value in a report. */
const MAX_LENGTH = 600

/** The variables that stand for the credentials in a report: those that set the flags. */
export const VARIABLES = {
  username: 'MATERIALS_MOCK_USERNAME',
  password: 'MATERIALS_MOCK_PASSWORD',
  accountId: 'MATERIALS_MOCK_ACCOUNT_ID',
  token: 'MATERIALS_MOCK_TOKEN',
} as const

/** A credential, and the variable that stands for it. */
export interface Secret {
  readonly text: string
  readonly variable: string
  /** Whether it may be shown: a username, an account id. */
  readonly isPublic: boolean
}

/** Returns the text of a value in a report, without the secrets, truncated. */
export function toReportText(value: unknown, secrets: readonly Secret[]): string {
  const text = value instanceof Description ? value.text : (JSON.stringify(value) ?? 'nothing')
  const redacted = redact(text, secrets)
  return redacted.length > MAX_LENGTH ? `${redacted.slice(0, MAX_LENGTH)}…` : redacted
}

/** Replaces secrets by their variables, also where they are encoded for JSON or a URL. */
function redact(text: string, secrets: readonly Secret[]): string {
  let result = text
  for (const { text: secret, variable, isPublic } of secrets.toSorted(byLength)) {
    if (isPublic) continue
    const forms = [
      secret,
      JSON.stringify(secret).slice(1, -1),
      encodeURIComponent(secret),
      new URLSearchParams({ '': secret }).toString().slice(1),
    ]
    for (const form of new Set(forms)) result = result.replaceAll(form, `$${variable}`)
  }
  return result
}

const byLength = (a: Secret, b: Secret): number => b.text.length - a.text.length

/**
 * Returns a request as a command for a shell. The credentials are variables.
 * @param root the versioned root, which is shown as it is
 */
export function toCurl(root: string, request: ApiRequest, secrets: readonly Secret[]): string {
  const { method = 'GET', path, headers = {}, body } = request
  const { 'content-type': type, ...others } = headers
  const isForm = type === 'application/x-www-form-urlencoded'
  const option = (flag: string, start: string, value: string): string => {
    const secret = secrets.find(({ text }) => text === value)
    const word = quoteWord(start + redact(value, secrets))
    return `${flag} ${secret === undefined ? word : `"${start}$${secret.variable}"`}`
  }
  return [
    `curl -sg ${method === 'HEAD' ? '-I' : `-X ${method}`}`,
    quoteWord(root + redact(path, secrets)),
    ...Object.entries(others).map(([name, value]) => option('-H', `${name}: `, value)),
    ...(type === undefined || isForm ? [] : [option('-H', 'content-type: ', type)]),
    ...(body === undefined || isForm ? [] : [option('-d', '', body)]),
    ...[...new URLSearchParams(isForm ? body : '')].map(([name, value]) =>
      option('--data-urlencode', `${name}=`, value),
    ),
  ].join(' ')
}

/** Quotes a word for a shell. */
const quoteWord = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`
