import { toLoginRequest } from './api-client.js'
import type { ApiRequest } from './api-client.js'
import type { Deployment } from './deployment.js'
import type { Lists } from './list-path.js'
import { Description, words } from './outcome.js'
import type { Sample } from './sample.js'
import type { Level } from './statement.js'

export interface StatementResult {
  readonly id: string
  readonly title: string
  readonly level: Level
  readonly outcome: 'held' | 'failed' | 'skipped'
  /** The expected answer; for a skipped statement, what it needs. */
  readonly expected?: string
  /** The actual answer; for a skipped statement, what there is instead. */
  readonly actual?: string
  /** The request with the wrong answer, as a curl command. Its credentials are variables. */
  readonly request?: string
}

/** The results of a check for a route that was used. */
export interface UsedResult {
  readonly method: string
  readonly path: string
  /** Whether all holds that could be checked; skipped if nothing could be. */
  readonly outcome: StatementResult['outcome']
  readonly held: number
  readonly failed: number
  readonly skipped: number
}

/** The report of a check. It contains no secrets. */
export interface Report {
  /** The versioned root of the deployment. */
  readonly url: string
  /** The time at which the check started (ISO 8601). */
  readonly startedAt: string
  /** How lists read their parameters; missing if that is unknown. */
  readonly lists?: Lists
  /** Why the check did not come to its end; missing if it did. */
  readonly problem?: string
  readonly summary: { readonly held: number; readonly failed: number; readonly skipped: number }
  readonly statements: readonly StatementResult[]
  /** The outcomes of each used route; missing for a check of the whole contract. */
  readonly uses?: readonly UsedResult[]
  /** Shell lines that set the variables of all requests; missing if no statement has a request. */
  readonly setup?: string
  /** Warnings before the statements: `every answer is 401`. */
  readonly warnings: readonly string[]
  /** Notes that are not failures: the fields that no schema has. */
  readonly notes: readonly string[]
}

/**
 * Whether it came to its end.
 * @param isStrict whether assumed statements count too
 */
export const isHeld = (
  { problem, statements }: Pick<Report, 'problem' | 'statements'>,
  isStrict = false,
): boolean =>
  problem === undefined &&
  statements.every(
    ({ level, outcome }) => outcome !== 'failed' || (level === 'assumed' && !isStrict),
  )

export function summarize(statements: readonly StatementResult[]): Report['summary'] {
  const count = (outcome: StatementResult['outcome']): number =>
    statements.filter((statement) => statement.outcome === outcome).length
  return { held: count('held'), failed: count('failed'), skipped: count('skipped') }
}

const MAX_LENGTH = 600

/** The variables that replace the credentials in a report. They also set the flags. */
const VARIABLES = {
  username: 'MATERIALS_MOCK_USERNAME',
  password: 'MATERIALS_MOCK_PASSWORD',
  accountId: 'MATERIALS_MOCK_ACCOUNT_ID',
  token: 'MATERIALS_MOCK_TOKEN',
} as const

type SecretName = keyof typeof VARIABLES

export interface Secret {
  readonly name: SecretName
  readonly text: string
}

/** The credentials that may be shown. */
const PUBLIC: ReadonlySet<SecretName> = new Set(['username', 'accountId'])

/** Returns the text of a value in a report, without the secrets, truncated. */
export function toReportText(value: unknown, secrets: readonly Secret[]): string {
  const text = value instanceof Description ? value.text : (JSON.stringify(value) ?? 'nothing')
  const redacted = redact(text, secrets)
  return redacted.length > MAX_LENGTH ? `${redacted.slice(0, MAX_LENGTH)}…` : redacted
}

/** The largest number of elements of a list that the report shows. */
const MAX_ELEMENTS = 5

/** Of two lists of scalars, the start of the expected one and the differences of the actual one. */
export function markDifference(
  expected: unknown,
  actual: unknown,
): { readonly expected: unknown; readonly actual: unknown } {
  if (!isListOfScalars(expected) || !isListOfScalars(actual)) return { expected, actual }
  const [missing, common] = subtract(expected, actual)
  const [extra, found] = subtract(actual, expected)
  const moved = found.filter((element, index) => element !== common[index])
  const differences = Object.entries({ missing, extra, 'at another place': moved })
    .filter(([, elements]) => elements.length > 0)
    .map(([name, elements]) => `${name}: ${listElements(elements)}`)
  return {
    expected: words(
      `${describeLength(expected)}${expected.length === 0 ? '' : `: ${listElements(expected)}`}`,
    ),
    actual: words([describeLength(actual), ...differences].join('; ')),
  }
}

const isListOfScalars = (value: unknown): value is unknown[] =>
  Array.isArray(value) && value.every((each) => typeof each !== 'object' || each === null)

/** Splits a list into the elements that another list does not have as often, and the other elements. */
function subtract(list: readonly unknown[], others: readonly unknown[]): [unknown[], unknown[]] {
  const rest = [...others]
  const [missing, common]: [unknown[], unknown[]] = [[], []]
  for (const element of list) {
    const index = rest.indexOf(element)
    if (index === -1) missing.push(element)
    else common.push(...rest.splice(index, 1))
  }
  return [missing, common]
}

const describeLength = ({ length }: readonly unknown[]): string =>
  `a list of ${length} ${length === 1 ? 'element' : 'elements'}`

function listElements(elements: readonly unknown[]): string {
  const shown = elements.slice(0, MAX_ELEMENTS).map((each) => JSON.stringify(each) ?? 'nothing')
  const count = elements.length - shown.length
  return count > 0 ? `${shown.join(', ')} and ${count} more` : shown.join(', ')
}

/** Replaces secrets by their variables, also in the encodings of JSON and URLs. */
function redact(text: string, secrets: readonly Secret[]): string {
  let result = text
  // A password that equals the username is not a secret: masking it could mask any word.
  const open = new Set(
    secrets.filter(({ name }) => PUBLIC.has(name)).map(({ text: shown }) => shown),
  )
  for (const { name, text: secret } of secrets.toSorted(byLength)) {
    if (open.has(secret)) continue
    const forms = [
      secret,
      JSON.stringify(secret).slice(1, -1),
      encodeURIComponent(secret),
      new URLSearchParams({ '': secret }).toString().slice(1),
    ]
    for (const form of new Set(forms)) result = result.replaceAll(form, `$${VARIABLES[name]}`)
  }
  return result
}

const byLength = (a: Secret, b: Secret): number => b.text.length - a.text.length

/**
 * The credentials are variables.
 * @param root the versioned root, which is shown unchanged
 */
export function toCurl(root: string, request: ApiRequest, secrets: readonly Secret[]): string {
  const { method = 'GET', path, headers = {}, body } = request
  const { 'content-type': type, ...others } = headers
  const isForm = type === 'application/x-www-form-urlencoded'
  const option = (flag: string, start: string, value: string): string => {
    const secret = secrets.find(({ name, text }) => text === value && name === SECRET_OF[start])
    const word =
      secret === undefined
        ? quoteWord(start + redact(value, secrets))
        : `"${start}$${VARIABLES[secret.name]}"`
    return `${flag} ${word}`
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

/** They log in, or use the given credentials. The reader sets the password or the token. */
export function toSetup(
  root: string,
  { loginIfGiven: login, credentials }: Pick<Deployment, 'loginIfGiven' | 'credentials'>,
): string {
  if (login === undefined) {
    const { 'X-Account-Id': accountId = '' } = credentials ?? {}
    return [`${VARIABLES.accountId}=${quoteWord(accountId)}`, needVariable('token')].join('\n')
  }
  const secrets = (['username', 'password'] as const).map((name) => ({ name, text: login[name] }))
  return [
    `${VARIABLES.username}=${quoteWord(login.username)}`,
    needVariable('password'),
    `login=$(${toCurl(root, toLoginRequest(login), secrets)})`,
    readHeader('accountId', 'X-Account-Id'),
    readHeader('token', 'X-Auth-Token'),
  ].join('\n')
}

const needVariable = (name: SecretName): string => `: "\${${VARIABLES[name]}:?must be set}"`

const readHeader = (name: SecretName, field: string): string =>
  `${VARIABLES[name]}=$(printf %s "$login" | sed -n 's/.*"${field}" *: *"\\([^"]*\\)".*/\\1/p')`

/** The headers and the fields of a login that have credentials. */
const SECRET_OF: Readonly<Record<string, SecretName>> = {
  'X-Account-Id: ': 'accountId',
  'X-Auth-Token: ': 'token',
  'username=': 'username',
  'password=': 'password',
}

const quoteWord = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`

/** Names items that the check has made and could not delete. */
export const describeLeft = (resource: string, left: readonly string[]): string =>
  `items of ${resource} are left behind; delete them: ${left.join(', ')}`

/** The problem of a check whose last requests got no answer. */
export const UNANSWERED = 'the last requests got no answer that can be read'

/** @param left the `_id`s of the items that the check has made and could not delete */
export function findWarnings(
  { client, credentials, statuses, resource }: Deployment,
  sample: Sample,
  left: readonly string[],
): string[] {
  const status = findOnlyStatus(statuses)
  const warnings: string[] = []
  if (left.length > 0) warnings.push(`These ${describeLeft(resource, left)}`)
  if (client.isUnanswered) warnings.push(`The check is not complete: ${UNANSWERED}`)
  if (credentials === undefined)
    warnings.push('The login gives no credentials; only statements on the login are checked')
  else if (status !== undefined)
    warnings.push(`Everything is ${status}: no list and no item is answered`)
  else if (sample.length === 0 && !client.isUnanswered)
    warnings.push(`The account sees no items of ${resource}; many statements cannot be checked`)
  return warnings
}

/**
 * Returns the status of almost all answers if no answer is a success. Some malformed requests have
 * another status, because a server refuses them before it checks the credentials.
 */
function findOnlyStatus(statuses: ReadonlyMap<number, number>): number | undefined {
  const total = [...statuses.values()].reduce((sum, count) => sum + count, 0)
  const [status, count = 0] = [...statuses].toSorted(([, a], [, b]) => b - a)[0] ?? []
  const isAlone = [...statuses.keys()].every((each) => each >= 300) && count > 0.8 * total
  return isAlone ? status : undefined
}
