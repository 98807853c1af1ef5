import { Type } from '@sinclair/typebox'

import { LoginRejected } from '../errors.js'
import { BEHIND_AUTH, WITH_FORM, WITH_JSON, responses } from '../schemas/responses.js'
import { Credentials, Login } from '../schemas/credentials.js'
import { Success } from '../schemas/jsend.js'
import type { OperationSchema } from '../schemas/operation.js'

/** `POST /login`, as the document tells it. */
export const loginOperation = (envelope: 'flat' | 'jsend') =>
  ({
    operationId: 'login',
    tags: ['session'],
    summary: 'Open a session',
    description: 'The two fields of the answer are the headers of every other request.',
    security: [],
    body: Login,
    consumes: ['application/x-www-form-urlencoded'],
    responses: () =>
      responses(envelope === 'jsend' ? Success(Credentials) : Credentials, [
        ...WITH_FORM,
        new LoginRejected(),
      ]),
  }) satisfies OperationSchema

/** `GET` and `POST /logout`, as the document tells them. */
export const logoutOperation = (method: 'GET' | 'POST') =>
  ({
    operationId: method === 'GET' ? 'logout' : 'logout-post',
    tags: ['session'],
    summary: method === 'GET' ? 'End the session' : 'End the session, as GET does',
    description: 'The token is rejected from then on; other sessions of the account stay open.',
    responses: () =>
      responses(Success(Type.Object({})), [...BEHIND_AUTH, ...(method === 'GET' ? [] : WITH_JSON)]),
  }) satisfies OperationSchema
