import { Type } from '@sinclair/typebox'
import type { Static, TObject } from '@sinclair/typebox'

import { quote } from '@materials-mock/json'
import { OptionsInvalid } from '../../errors.js'
import { TextOption } from '../../options.js'
import { parseOptions } from '../command.js'
import type { Environment, Flags } from '../command.js'

/**
 * Each is a flag or a variable (`MATERIALS_MOCK_PASSWORD`), so the command line shows no secret.
 */
export const REMOTE_OPTIONS = {
  username: TextOption('U', 'username of a login, with --password'),
  password: TextOption('P', 'password of --username'),
  accountId: TextOption('ID', 'account of --token, in place of a login'),
  token: TextOption('T', 'token of a session or of the preferences; it stays valid'),
}

/** The form of the answer to a login. A server has a variable of this name, so this is only a flag. */
export const LoginEnvelope = Type.Optional(
  Type.Union([Type.Literal('flat'), Type.Literal('jsend')], {
    title: 'flat|jsend',
    description:
      'right answer to a login: the two fields alone, or in the envelope (default: either)',
  }),
)

export const RESOURCE_NAMES = {
  pattern: '^[a-z0-9-]+(,[a-z0-9-]+)*$',
  expected: 'names of resources such as materials,jobs',
  title: 'NAME,…',
  repeatable: true,
} as const

/**
 * @param source has them, for the message
 * @throws OptionsInvalid for one that it does not have
 */
export const chooseResources = <Items>(
  { resource }: { readonly resource?: string },
  source: string,
  resources: ReadonlyMap<string, Items>,
): (readonly [name: string, items: Items])[] =>
  [...new Set(resource?.split(',') ?? resources.keys())].map((name) => {
    const items = resources.get(name)
    if (items !== undefined) return [name, items]
    const known = [...resources.keys()].join(', ')
    throw new OptionsInvalid(`--resource: ${source} has no ${name}, but ${known}`)
  })

const RemoteOptions = Type.Object(REMOTE_OPTIONS)
export type RemoteOptions = Static<typeof RemoteOptions> & {
  /** The versioned root of the deployment, without a final slash. */
  readonly url: string
  readonly loginEnvelope?: Static<typeof LoginEnvelope>
}

/** A versioned root: no user, no parameters, and a version at the end of the path. */
const ROOT = /^https?:\/\/[^/?#@\s]+(?:\/[^?#\s]*)?\/\d{4}-\d\d-\d\d$/

/**
 * A flag takes precedence over a variable.
 * @param flags with the operand `URL`
 * @throws OptionsInvalid
 */
export function parseRemoteOptions<Schema extends TObject>(
  flags: Flags,
  environment: Environment,
  schema: Schema,
): Static<Schema> & RemoteOptions {
  const given = parseOptions(
    schema,
    flags,
    withoutEmpty(environment),
    (name) => name in REMOTE_OPTIONS,
  )
  const options = { ...withoutOther(given, flags), url: parseRoot(flags.URL) }
  checkCredentials(options)
  return options
}

/** Leaves out empty variables, because a CI secret that is not set is an empty variable. */
const withoutEmpty = (environment: Environment): Environment =>
  Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''))

/** Leaves out the variables of a login if the flags have a token, and the other way round. */
function withoutOther<Given extends object>(given: Given, flags: Flags): Given {
  const hasTokenFlag = flags['account-id'] !== undefined || flags.token !== undefined
  const hasLoginFlag = flags.username !== undefined || flags.password !== undefined
  if (hasTokenFlag && !hasLoginFlag) return { ...given, username: undefined, password: undefined }
  if (hasLoginFlag && !hasTokenFlag) return { ...given, accountId: undefined, token: undefined }
  return given
}

function parseRoot(url: unknown): string {
  if (url === undefined)
    throw new OptionsInvalid('give the versioned root; URL is missing: https://host/api/2018-10-01')
  const root = String(url).replace(/(?<!\/)\/+$/, '')
  if (ROOT.test(root) && URL.canParse(root)) return root
  throw new OptionsInvalid(
    `URL must be the versioned root such as https://host/api/2018-10-01, without user and parameters, not ${quote(hideUser(root))}`,
  )
}

const hideUser = (url: string): string => url.replace(/\/\/[^/?#]*@/, '//…@')

/** Matches the value of a header (RFC 9110, section 5.5). */
const HEADER_VALUE = /^[\x21-\x7e\x80-\xff]+$/

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
