import { Type } from '@sinclair/typebox'

import { OwnerForbidden } from '../../errors.js'
import type { OperationSchema } from '../../http/openapi/responses.js'
import { AUTH_ERRORS, responses } from '../../http/openapi/responses.js'
import { Success } from '../../http/envelope-schema.js'
import { CloudFile, NewFile, SignedFile, SignedUrlsBody } from './file.js'
import { ItemParams, WRITE_ERRORS, itemNotFound } from '../item-operations.js'

const ERRORS = [...WRITE_ERRORS, new OwnerForbidden('another account')]

/** `POST /files` */
export const CREATE_FILE = {
  operationId: 'files-create',
  tags: ['files'],
  summary: "Create a file in the account's folder",
  description: 'It replaces a file with the same name. A reset removes all files.',
  body: NewFile,
  responses: () => responses(Success(CloudFile), ERRORS),
} satisfies OperationSchema

/** `POST /files/signed-urls` */
export const SIGN_URLS = {
  operationId: 'files-signed-urls',
  tags: ['files'],
  summary: 'Get URLs that need no credentials',
  description: 'A GET of such a URL downloads the file, and a PUT stores the bytes of its body.',
  body: SignedUrlsBody,
  responses: () => responses(Success(Type.Array(SignedFile)), ERRORS),
} satisfies OperationSchema

/** `GET /measurements/{id}/files` */
export const LIST_MEASUREMENT_FILES = {
  operationId: 'measurements-files',
  tags: ['measurements'],
  summary: 'List the files of a measurement',
  description: "The files whose names start with measurements/{id}/ in its owner's folder.",
  params: ItemParams,
  responses: () =>
    responses(Success(Type.Array(SignedFile)), [...AUTH_ERRORS, itemNotFound('measurements')]),
} satisfies OperationSchema
