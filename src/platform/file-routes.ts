import { Type } from '@sinclair/typebox'
import type { Static } from '@sinclair/typebox'
import type { FastifyInstance, FastifyRequest } from 'fastify'

import { StringEnum, Text } from '@materials-mock/json'
import {
  BoundExceeded,
  BudgetExceeded,
  CredentialsRejected,
  FileNotFound,
  OwnerForbidden,
  SignatureRejected,
} from '../errors.js'
import { OWNER_ERRORS } from '../http/openapi/responses.js'
import { toBaseUrl } from '../http/base-url.js'
import type { ItemRoute, ResourceOperation } from '../http/resource-routes.js'
import { liftBudget } from '../http/run-work.js'
import { toElements } from '../http/send-json.js'
import type { FileOperation, FileStorage } from '../store/files/file-storage.js'
import type { Account } from '../store/sign-in/accounts.js'
import type { Store } from '../store/store.js'

/** A character of a segment of a path. A lone surrogate is none, because no URL can have it. */
const CHARACTER = '(?:[^/\\x00-\\x1f\\ud800-\\udfff]|[\\ud800-\\udbff][\\udc00-\\udfff])'

const SEGMENT = `(?!\\.\\.?(?:/|$))${CHARACTER}+`

export const FileName = Type.String({
  pattern: `^${SEGMENT}(?:/${SEGMENT})*$`,
  maxLength: 1000,
  expected: 'a path such as records/one.json, without "." and ".."',
  examples: ['records/one.json'],
})

const AccountId = Type.Optional(
  Type.String({
    description: 'The account that owns the folder. It must be your own, which is the default.',
  }),
)

const NewFile = Type.Object(
  {
    name: FileName,
    body: Text('{"value": 1}', 'The text, or a data URL: data:<type>;base64,…'),
    accountId: AccountId,
  },
  { $id: 'NewFile', additionalProperties: false },
)
type NewFile = Static<typeof NewFile>

const SignedUrlsBody = Type.Object(
  {
    names: Type.Array(FileName, { maxItems: 1000, examples: [['records/one.json']] }),
    operation: Type.Optional(
      StringEnum(['getObject', 'putObject'], {
        description: 'Whether the URLs download files (the default), or upload them with PUT.',
        examples: ['putObject'],
      }),
    ),
    accountId: AccountId,
  },
  { $id: 'SignedUrls', additionalProperties: false },
)
type SignedUrlsBody = Static<typeof SignedUrlsBody>

/** The path of all signed URLs. */
export const STORAGE_PATH = '/storage'

const LOCATION_FIELDS = {
  key: Text('demo/records/one.json', 'The path in the storage.'),
  bucket: Text('materials-mock'),
  region: Text('us-east-1'),
  provider: Text('aws'),
}

/** The operations of `/files`, which has files and no items. A resource may be named `files` too. */
const FILES = { only: ['files'], needsNoItems: true } as const

const CloudFile = Type.Object(
  {
    ...LOCATION_FIELDS,
    name: Text('records/one.json'),
    size: Type.Integer({ minimum: 0, description: 'The size in bytes.', examples: [12] }),
    lastModified: Type.Integer({
      description: 'In seconds since the epoch.',
      examples: [1687407550],
    }),
  },
  { $id: 'CloudFile' },
)

export const SignedUrl = Type.String({
  description: 'The URL gives access without credentials.',
  examples: [
    `http://127.0.0.1:4000${STORAGE_PATH}/demo/one.json?operation=getObject&signature=example`,
  ],
})

const SignedFile = Type.Object({ ...LOCATION_FIELDS, signedUrl: SignedUrl }, { $id: 'SignedFile' })

/** The location of every file, in the platform's format. Clients pass it on; nothing reads it. */
export const LOCATION = { bucket: 'materials-mock', region: 'us-east-1', provider: 'aws' } as const

const toKey = ({ slug, username }: Account, name: string): string => `${slug ?? username}/${name}`

export function toSignedUrl(
  request: FastifyRequest,
  operation: FileOperation,
  key: string,
): string {
  const path = key.split('/').map(encodeURIComponent).join('/')
  const search = `operation=${operation}&signature=${request.store.files.sign(operation, key)}`
  return `${toBaseUrl(request)}${STORAGE_PATH}/${path}?${search}`
}

const CREATE_FILE: ResourceOperation<{ Body: NewFile }> = {
  method: 'POST',
  path: '/',
  ...FILES,
  action: 'create',
  describe: () => ({
    summary: "Create a file in the account's folder",
    description: 'It replaces a file with the same name. A reset removes all files.',
    body: NewFile,
    data: () => CloudFile,
    errors: OWNER_ERRORS,
  }),
  handle: async ({ body: { name, body, accountId: ownerId }, accountId, store }, reply) =>
    reply.runStep(() => {
      const key = toKey(findOwner(store, accountId, ownerId), name)
      const { content, lastModified } = store.files.put(key, decodeBody(body))
      return { ...LOCATION, key, name, size: content.length, lastModified }
    }),
}

const SIGN_URLS: ResourceOperation<{ Body: SignedUrlsBody }> = {
  method: 'POST',
  path: '/signed-urls',
  ...FILES,
  describe: () => ({
    summary: 'Get URLs that need no credentials',
    description: 'A GET of such a URL downloads the file, and a PUT stores the bytes of its body.',
    body: SignedUrlsBody,
    data: () => Type.Array(SignedFile),
    errors: OWNER_ERRORS,
  }),
  async handle(request, reply) {
    const { names, operation = 'getObject', accountId: ownerId } = request.body
    const owner = findOwner(request.store, request.accountId, ownerId)
    const keys = names.map((name) => toKey(owner, name))
    return reply.listBody(await reply.runWork(toElements(signAll(request, operation, keys))))
  },
}

export const FILE_WRITES = [CREATE_FILE, SIGN_URLS]

/** Signs each key. A thousand long ones take 50 ms. */
function* signAll(
  request: FastifyRequest,
  operation: FileOperation,
  keys: readonly string[],
): Iterable<Static<typeof SignedFile>> {
  for (const key of keys)
    yield { ...LOCATION, key, signedUrl: toSignedUrl(request, operation, key) }
}

/** `GET /measurements/{id}/files`: the files below `measurements/{id}/` of the owner's folder. */
export const MEASUREMENT_FILES: ResourceOperation<ItemRoute> = {
  method: 'GET',
  path: '/:id/files',
  only: ['measurements'],
  describe: () => ({
    summary: 'List the files of a measurement',
    description: "The files whose names start with measurements/{id}/ in its owner's folder.",
    data: () => Type.Array(SignedFile),
    errors: [
      new BoundExceeded('a list must have at most 67108864 bytes of JSON'),
      new BudgetExceeded(1000, '1000 ms writing the response'),
    ],
  }),
  async handle(request, reply) {
    const { params, accountId, store } = request
    const { ownerId } = store.writer(params.resource, accountId).find(params.id)
    const owner = store.accounts.find(({ _id }) => _id === ownerId)
    const files = owner ? store.files.list(toKey(owner, `measurements/${params.id}/`)) : []
    const keys = files.map(({ key }) => key)
    return reply.listBody(await reply.runWork(toElements(signAll(request, 'getObject', keys))))
  },
}

/** @throws OwnerForbidden for the `_id` of any other account */
function findOwner({ accounts }: Store, accountId: string, ownerId = accountId): Account {
  if (ownerId !== accountId) throw new OwnerForbidden(ownerId)
  const account = accounts.find(({ _id }) => _id === accountId)
  if (account === undefined) throw new CredentialsRejected()
  return account
}

/** Decodes a data URL (RFC 2397) with base64; any other text stands for itself. */
function decodeBody(body: string): Buffer {
  const header = /^data:[^,]{0,200};base64,/.exec(body)?.[0]
  return header === undefined ? Buffer.from(body) : Buffer.from(body.slice(header.length), 'base64')
}

/** The largest body of an upload, in bytes. */
const MAX_UPLOAD_BYTES = 32 * 1024 * 1024

interface StorageRoute {
  readonly Params: { readonly '*': string }
  readonly Querystring: { readonly operation?: unknown; readonly signature?: unknown }
}

/** Sends and stores the bytes of files for requests with a signed URL. Responses have no envelope. */
export async function storageRoutes(
  app: FastifyInstance,
  { readOnly }: { readonly readOnly: boolean },
): Promise<void> {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', async (request: FastifyRequest) =>
    request.takeBody(MAX_UPLOAD_BYTES),
  )
  const check = (
    files: FileStorage,
    operation: FileOperation,
    key: string,
    query: StorageRoute['Querystring'],
  ): void => {
    const { operation: given, signature } = query
    if (
      given !== operation ||
      typeof signature !== 'string' ||
      !files.isSigned(operation, key, signature)
    )
      throw new SignatureRejected(operation)
  }

  app.get<StorageRoute>('/*', { schema: { hide: true } }, async (request, reply) => {
    const { files, jobStorage } = request.store
    const key = request.params['*']
    check(files, 'getObject', key, request.query)
    liftBudget(request) // as for the list of a job's files
    const file = jobStorage.isJobFile(key)
      ? await request.runWork(jobStorage.find(key))
      : files.get(key)
    if (file === undefined) throw new FileNotFound(key)
    return reply
      .headers({
        'cache-control': 'no-store', // a PUT to the other URL would not renew what a browser keeps
        'x-content-type-options': 'nosniff',
        'content-disposition': 'attachment',
        'last-modified': new Date(file.lastModified * 1000).toUTCString(),
      })
      .type('application/octet-stream')
      .send(file.content)
  })

  if (readOnly) return
  app.put<StorageRoute>(
    '/*',
    { schema: { hide: true } },
    async ({ params, query, body, store }, reply) => {
      const { files } = store
      check(files, 'putObject', params['*'], query)
      files.put(params['*'], Buffer.isBuffer(body) ? body : Buffer.alloc(0))
      return reply.code(200).send()
    },
  )
}
