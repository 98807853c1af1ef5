import { readCredentials } from '@materials-mock/client'
import type { Credentials } from '@materials-mock/client'
import { isJsonObject } from '@materials-mock/json'
import { readLogin } from '../api-client.js'
import type { ApiResponse } from '../api-client.js'
import {
  expectErrorStructure,
  expectFailure,
  expectJsonType,
  expectRefused,
  expectSame,
  expectSuccess,
  expectTrue,
} from '../expect.js'
import { Lack, Mismatch, words } from '../outcome.js'
import { itemPath } from '../probe.js'
import type { Probe } from '../probe.js'
import { defineGroup } from '../statement.js'
import type { Statement } from '../statement.js'

const { documented, assumed, fails } = defineGroup('login')
const logout = defineGroup('logout')

/** The statements on the login. No report shows the body of a login that succeeded. */
export const LOGIN: readonly Statement[] = [
  documented('status', 'A form-encoded login answers with status 200', async (probe) => {
    const { status } = await logIn(probe)
    expectSame(status, 200)
  }),
  documented(
    'two-fields-alone',
    'A login answers with X-Account-Id and X-Auth-Token alone (in the envelope with --login-envelope jsend)',
    async (probe) => {
      const response = await logIn(probe)
      const isWrapped = probe.deployment.loginEnvelope === 'jsend'
      const expected = describeFields(
        isWrapped ? { status: '', data: CREDENTIALS } : CREDENTIALS,
        200,
      )
      const actual = describeFields(response.json, response.status)
      if (actual !== expected) throw new Mismatch(words(expected), words(actual))
      expectTrue(
        readLogin(response) !== undefined,
        'strings that are not empty',
        words('other values'),
      )
    },
  ),
  documented('content-type', 'A login answers with JSON', async (probe) => {
    expectJsonType(await logIn(probe))
  }),
  documented(
    'credentials-work',
    'The two fields of a login, sent as headers, give access',
    async (probe) => {
      const credentials = readLogin(await logIn(probe))
      if (credentials === undefined) throw new Mismatch(words('two fields'), words('none'))
      expectSuccess(await probe.requestList(credentials))
    },
  ),
  documented('wrong-password', 'A login with a wrong password is refused', async (probe) => {
    const response = await logInWrongly(probe)
    const isRefused = response.status >= 400 && response.status < 500
    const hasNone = readCredentials(response.json) === undefined
    expectTrue(isRefused && hasNone, 'a status of 4xx, no credentials', describeResponse(response))
  }),
  documented(
    'error-structure',
    'A login that is refused answers with the structure of every error',
    async (probe) => {
      const response = await logInWrongly(probe)
      if (response.status < 400) throw new Mismatch(words('a refusal'), describeResponse(response))
      expectErrorStructure(response)
    },
  ),
  assumed('wrong-password-401', 'A wrong password is 401 LOGIN_REJECTED', async (probe) => {
    const response = await logInWrongly(probe)
    if (response.status < 400) throw new Mismatch(words('status 401'), describeResponse(response))
    expectFailure(response, 401, 'LOGIN_REJECTED')
  }),
  assumed(
    'unknown-user',
    'An unknown user and a wrong password get the same answer',
    async (probe) => {
      const wrong = await logInWrongly(probe)
      const unknown = await probe.logIn({ username: UNKNOWN_USER, password: WRONG_PASSWORD })
      if (unknown.status < 400) throw new Mismatch(words('a refusal'), describeResponse(unknown))
      expectSame([unknown.status, unknown.json], [wrong.status, wrong.json])
    },
  ),
  assumed('session-of-its-own', 'Each login opens another session', async (probe) => {
    const credentials = readLogin(await logIn(probe))
    if (credentials === undefined) throw new Lack('two sessions', 'a login without credentials')
    const isOther = credentials['X-Auth-Token'] !== probe.credentials['X-Auth-Token']
    expectTrue(isOther, 'another token', words('the same token'))
  }),
  fails('password-missing', 'A login without a password is 400 BODY_INVALID', (probe) =>
    postLogin(probe, FORM, `username=${UNKNOWN_USER}`),
  ),
  fails('field-unknown', 'A login with another field is 400 BODY_INVALID', (probe) =>
    postLogin(probe, FORM, `username=${UNKNOWN_USER}&password=${WRONG_PASSWORD}&remember=1`),
  ),
  fails('json-body', 'A login with a body in JSON is 415 CONTENT_TYPE_UNSUPPORTED', (probe) =>
    postLogin(probe, 'application/json', '{}'),
  ),
]

const CREDENTIALS = { 'X-Account-Id': '', 'X-Auth-Token': '' }
const FORM = 'application/x-www-form-urlencoded'
const UNKNOWN_USER = 'nobody-of-this-name'
const WRONG_PASSWORD = 'not-the-password'

const logIn = (probe: Probe): Promise<ApiResponse> => probe.sendOnce('login', () => probe.logIn())

/** Sends one login with a wrong password for all statements, so that the account is not locked. */
const logInWrongly = (probe: Probe): Promise<ApiResponse> => {
  const { username } = probe.deployment.login
  return probe.sendOnce('wrong login', () => probe.logIn({ username, password: WRONG_PASSWORD }))
}

const postLogin = (probe: Probe, type: string, body: string): Promise<ApiResponse> =>
  probe.send({ method: 'POST', path: '/login', headers: { 'content-type': type }, body })

/** Describes a response by its status and the names of its fields, without their values. */
const describeResponse = ({ status, json }: ApiResponse): ReturnType<typeof words> =>
  words(describeFields(json, status))

function describeFields(json: unknown, status: number): string {
  if (!isJsonObject(json)) return `status ${status} and no JSON object`
  const fields = Object.entries(json).map(([name, value]) =>
    isJsonObject(value) ? `${name} {${Object.keys(value).toSorted().join(', ')}}` : name,
  )
  return `status ${status} and the fields ${fields.toSorted().join(', ')}`
}

/**
 * The statements on the logout. Each ends a session that it has opened. They come last, because a
 * server that ends other sessions too would end the session of the check.
 */
export const LOGOUT: readonly Statement[] = [
  logout.documented('success', 'A logout answers with the success envelope', async (probe) => {
    expectSuccess(await logOut(probe, await openSession(probe)))
  }),
  logout.documented('ends-credentials', 'A logout ends its credentials', async (probe) => {
    const session = await openSession(probe)
    await logOut(probe, session)
    expectRefused(await probe.requestList(session))
  }),
  logout.documented(
    'ends-items',
    'A logout ends its credentials for items by their _id too',
    async (probe) => {
      const session = await openSession(probe)
      const path = itemPath(probe, 0)
      await logOut(probe, session)
      expectRefused(await probe.send({ path, headers: { ...session } }))
    },
  ),
  logout.documented('ends-no-others', 'A logout ends no other session', async (probe) => {
    const [ended, other] = [await openSession(probe), await openSession(probe)]
    if (ended['X-Auth-Token'] === other['X-Auth-Token'])
      throw new Lack('two sessions', 'logins that give the same token')
    await logOut(probe, ended)
    expectSuccess(await probe.requestList(other))
  }),
  logout.assumed('message', 'A logout answers with a message in data', async (probe) => {
    const data = expectSuccess(await logOut(probe, await openSession(probe)))
    expectSame(data, { message: 'You are successfully logged out' })
  }),
  logout.assumed('twice', 'A second logout with the same credentials is 401', async (probe) => {
    const session = await openSession(probe)
    await logOut(probe, session)
    expectFailure(await logOut(probe, session), 401)
  }),
  logout.assumed('post', 'POST does the same as GET, with an empty JSON body', async (probe) => {
    const session = await openSession(probe)
    const headers = { ...session, 'content-type': 'application/json' }
    const response = await probe.send({ method: 'POST', path: '/logout', headers })
    if (response.status === 405) throw new Lack('a POST /logout', '405, as of a strict server')
    expectSuccess(response)
    expectRefused(await probe.requestList(session))
  }),
]

async function openSession(probe: Probe): Promise<Credentials> {
  const credentials = readLogin(await probe.logIn())
  if (credentials === undefined) throw new Lack('a session', 'a login that gave none')
  return credentials
}

const logOut = (probe: Probe, session: Credentials): Promise<ApiResponse> =>
  probe.send({ path: '/logout', headers: { ...session } })
