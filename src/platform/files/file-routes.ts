import type { FastifyInstance, FastifyRequest } from 'fastify'

import { CredentialsRejected, OwnerForbidden } from '../../errors.js'
import type { Account } from '../../store/sign-in/account.js'
import type { NewFile, SignedUrlsBody } from './file.js'
import type { FileOperation } from '../../store/files/file-storage.js'
import type { Store } from '../../store/store.js'
import { toTexts } from '../../http/to-texts.js'
import type { ItemRoute } from '../item-operations.js'
import type { ReadOptions } from '../read-routes.js'
import { LOCATION, toKey, toSignedUrl } from './file-locations.js'
import { CREATE_FILE, LIST_MEASUREMENT_FILES, SIGN_URLS } from './file-operations.js'

/** `POST /files` and `POST /files/signed-urls`. Behind the auth plugin. */
export async function fileRoutes(app: FastifyInstance): Promise<void> {
  app.post<{ Body: NewFile }>(
    '/files',
    { schema: CREATE_FILE },
    async ({ body: { name, body, accountId: ownerId }, accountId, store }, reply) =>
      reply.runStep(() => {
        const key = toKey(findOwner(store, accountId, ownerId), name)
        const { content, lastModified } = store.files.put(key, decodeBody(body))
        return { ...LOCATION, key, name, size: content.length, lastModified }
      }),
  )

  app.post<{ Body: SignedUrlsBody }>(
    '/files/signed-urls',
    { schema: SIGN_URLS },
    async (request, reply) => {
      const { names, operation = 'getObject', accountId: ownerId } = request.body
      const owner = findOwner(request.store, request.accountId, ownerId)
      return reply.sendList(await reply.runWork(toTexts(signAll(request, names, operation, owner))))
    },
  )
}

/** Signs each name. A thousand long ones take 50 ms. */
function* signAll(
  request: FastifyRequest,
  names: readonly string[],
  operation: FileOperation,
  owner: Account,
): Iterable<unknown> {
  for (const name of names) {
    const key = toKey(owner, name)
    yield { ...LOCATION, key, signedUrl: toSignedUrl(request, operation, key) }
  }
}

/** `GET /measurements/{id}/files`: the files below `measurements/{id}/` of the owner's folder. */
export async function measurementFileRoutes(
  app: FastifyInstance,
  { resource }: ReadOptions,
): Promise<void> {
  app.get<ItemRoute>('/:id/files', { schema: LIST_MEASUREMENT_FILES }, async (request) => {
    const { params, accountId, store } = request
    const { ownerId } = store.writer(resource, accountId).find(params.id)
    const owner = store.accounts.find(({ _id }) => _id === ownerId)
    if (owner === undefined) return []
    return store.files.list(toKey(owner, `measurements/${params.id}/`)).map(({ key }) => ({
      ...LOCATION,
      key,
      signedUrl: toSignedUrl(request, 'getObject', key),
    }))
  })
}

/** @throws OwnerForbidden for any account but the own one */
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
