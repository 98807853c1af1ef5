import type { TObject, TSchema } from '@sinclair/typebox'
import { Create } from '@sinclair/typebox/value'

import { OptionsInvalid } from '../../errors.js'
import { quote } from '../../json/quote.js'
import { parseValue, toFlag, toVariable } from '../flags.js'
import type { Flags } from '../flags.js'
import { REMOTE_OPTIONS } from './remote-options.js'
import type { RemoteOptions } from './remote-options.js'

/** A versioned root: no user, no parameters, and a version at the end of the path. */
const ROOT = /^https?:\/\/[^/?#@\s]+(?:\/[^?#\s]*)?\/\d{4}-\d\d-\d\d$/

/**
 * Returns the options of a command that talks to a deployment, from its flags and, for the
 * credentials, from environment variables. A flag wins over a variable.
 * @param flags the parsed flags, with the operand `URL`
 * @throws OptionsInvalid for a wrong URL, a wrong value, and credentials that are missing or too many
 */
export function parseRemoteOptions(
  flags: Flags,
  environment: Readonly<Record<string, string | undefined>>,
  schema: TObject,
): RemoteOptions {
  const given: Record<string, unknown> = {}
  for (const [name, property] of Object.entries<TSchema>(schema.properties)) {
    const [flag, variable] = [toFlag(name), toVariable(name)]
    const text = name in REMOTE_OPTIONS ? environment[variable] : undefined
    if (flags[flag] !== undefined) given[name] = parseValue(`--${flag}`, flags[flag], property)
    else if (text !== undefined) given[name] = parseSecret(variable, text, property)
  }
  const url = parseRoot(flags.URL)
  const options = { ...(Create(schema) as object), ...withoutOther(given, flags), url }
  checkCredentials(options)
  return options
}

/** Parses a variable. An empty one, as of a CI secret that is not set, is missing. */
const parseSecret = (variable: string, text: string, schema: TSchema): unknown =>
  text === '' ? undefined : parseValue(variable, text, schema)

/** Leaves out the variables of a login if the flags have a token, and the other way round. */
function withoutOther(given: Record<string, unknown>, flags: Flags): Record<string, unknown> {
  const { username, password, accountId, token, ...rest } = given
  const hasTokenFlag = flags['account-id'] !== undefined || flags.token !== undefined
  const hasLoginFlag = flags.username !== undefined || flags.password !== undefined
  if (hasTokenFlag && !hasLoginFlag) return { ...rest, accountId, token }
  if (hasLoginFlag && !hasTokenFlag) return { ...rest, username, password }
  return given
}

function parseRoot(url: unknown): string {
  if (url === undefined)
    throw new OptionsInvalid('give the versioned root; URL is missing: https://host/api/2018-10-01')
  const root = String(url).replace(/\/+$/, '')
  if (ROOT.test(root) && URL.canParse(root)) return root
  throw new OptionsInvalid(
    `URL must be the versioned root such as https://host/api/2018-10-01, without user and parameters, not ${quote(hideUser(root))}`,
  )
}

/** Hides the user and password of a URL. */
const hideUser = (url: string): string => url.replace(/\/\/[^/?#]*@/, '//…@')

/** What the value of a header can have (RFC 9110, section 5.5). */
const HEADER_VALUE = /^[\x21-\x7e\x80-\xff]+$/

/** Checks the credentials. No message quotes one. */
function checkCredentials({ username, password, accountId, token }: RemoteOptions): void {
  for (const [flag, value] of Object.entries({ '--account-id': accountId, '--token': token })) {
    if (value !== undefined && !HEADER_VALUE.test(value))
      throw new OptionsInvalid(`${flag} must be text that a header can have: ASCII without spaces`)
  }
  const [login, tokens] = [
    [username, password],
    [accountId, token],
  ].map((pair) => pair.filter((value) => value !== undefined).length)
  if (login === 2 && tokens === 0) return
  if (tokens === 2 && login === 0) return
  const expected = '--username and --password, or --account-id and --token'
  throw new OptionsInvalid(
    login === 0 && tokens === 0
      ? `give ${expected}, or the variables of their names; credentials are missing`
      : `give ${expected}, both of one kind and none of the other`,
  )
}
