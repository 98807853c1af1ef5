import { Type } from '@sinclair/typebox'
import type { Static } from '@sinclair/typebox'
import type { FastifyInstance } from 'fastify'

import { Credentials } from '@materials-mock/api'
import type { ReadLists } from '@materials-mock/api'
import { Text } from '@materials-mock/json'
import { BoundExceeded, LoginRejected } from '../errors.js'
import { Success, toSuccessJson } from '../http/envelope-schema.js'
import { JSON_TYPE } from '../http/envelope.js'
import {
  AUTH_ERRORS,
  FORM_BODY_ERRORS,
  JSON_BODY_ERRORS,
  responses,
} from '../http/openapi/responses.js'
import type { OperationSchema } from '../http/openapi/responses.js'
import { MAX_FORM_BYTES, parseForms } from '../http/form-body.js'
import { ANNOUNCED, LISTS_HEADER } from './read-routes.js'

const Login = Type.Object(
  {
    username: Type.String({ minLength: 1, examples: ['demo'] }),
    password: Type.String({ minLength: 1, examples: ['demo'] }),
  },
  { $id: 'Login', additionalProperties: false },
)
type Login = Static<typeof Login>

const LogoutMessage = Type.Object({
  message: Text('You are successfully logged out'),
})

export interface SessionOptions {
  /** `flat` sends the two credentials alone, as the platform documents; `jsend` wraps them. */
  readonly loginEnvelope: 'flat' | 'jsend'
  readonly announcedLists: ReadLists | undefined
  /** Whether only GET ends a session, as the platform documents. */
  readonly strict: boolean
}

export async function login(
  app: FastifyInstance,
  { loginEnvelope, announcedLists }: Pick<SessionOptions, 'loginEnvelope' | 'announcedLists'>,
): Promise<void> {
  parseForms(app)

  app.post<{ Body: Login }>(
    '/login',
    { schema: loginOperation(loginEnvelope), bodyLimit: MAX_FORM_BYTES },
    async ({ body, store }, reply) => {
      const account = store.findByPassword(body.username, body.password)
      if (account === undefined) throw new LoginRejected()
      const text = JSON.stringify({
        'X-Account-Id': account._id,
        'X-Auth-Token': store.sessions.open(account._id),
      } satisfies Credentials)
      if (announcedLists !== undefined) reply.header(LISTS_HEADER, announcedLists)
      return reply.type(JSON_TYPE).send(loginEnvelope === 'jsend' ? toSuccessJson(text) : text)
    },
  )
}

/** `GET /logout`, and `POST` unless it is strict: ends the session of the request. Behind the auth plugin. */
export async function logout(
  app: FastifyInstance,
  { strict }: Pick<SessionOptions, 'strict'>,
): Promise<void> {
  for (const method of strict ? (['GET'] as const) : (['GET', 'POST'] as const)) {
    app.route({
      method,
      url: '/logout',
      schema: logoutOperation(method),
      handler: async ({ token, store }) => {
        store.sessions.close(token)
        return LOGGED_OUT
      },
    })
  }
}

/** The message of the platform. */
const LOGGED_OUT = { message: 'You are successfully logged out' } as const

const loginOperation = (envelope: 'flat' | 'jsend') =>
  ({
    operationId: 'login',
    tags: ['session'],
    summary: 'Open a session',
    description:
      'The two fields of the response are the credential headers of every other request.',
    security: [],
    body: Login,
    consumes: ['application/x-www-form-urlencoded'],
    responses: () =>
      responses(
        envelope === 'jsend' ? Success(Credentials) : Credentials,
        [
          ...FORM_BODY_ERRORS,
          new LoginRejected(),
          new BoundExceeded("the server's memory is full: 950 MB of a heap of 1000 MB are in use"),
        ],
        { [LISTS_HEADER]: ANNOUNCED },
      ),
  }) satisfies OperationSchema

const logoutOperation = (method: 'GET' | 'POST') =>
  ({
    operationId: method === 'GET' ? 'logout' : 'logout-post',
    tags: ['session'],
    summary: method === 'GET' ? 'End the session' : 'End the session, as GET does',
    description: 'The token is rejected from then on. Other sessions of the account stay open.',
    responses: () =>
      responses(Success(LogoutMessage), [
        ...AUTH_ERRORS,
        ...(method === 'GET' ? [] : JSON_BODY_ERRORS),
      ]),
  }) satisfies OperationSchema
