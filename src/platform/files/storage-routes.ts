import type { FastifyInstance, FastifyRequest } from 'fastify'

import { BodyReader } from '../../http/read-body.js'
import jobClock from '../../http/job-clock.js'
import { FileNotFound, SignatureRejected } from '../../errors.js'
import type { FileOperation, FileStorage } from '../../store/files/file-storage.js'

/** The largest body of an upload, in bytes. */
const MAX_UPLOAD_BYTES = 32 * 1024 * 1024

interface StorageRoute {
  readonly Params: { readonly '*': string }
  readonly Querystring: { readonly operation?: unknown; readonly signature?: unknown }
}

/** Gives the bytes of files, and stores them, for requests with a signed URL. Without an envelope. */
export async function storageRoutes(
  app: FastifyInstance,
  { readOnly }: { readonly readOnly: boolean },
): Promise<void> {
  app.register(jobClock)
  app.removeAllContentTypeParsers()
  const reader = new BodyReader()
  app.addContentTypeParser('*', async ({ raw }: FastifyRequest) =>
    reader.read(raw, MAX_UPLOAD_BYTES),
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
    const file = jobStorage.isJobFile(key)
      ? await request.runWork(jobStorage.find(key))
      : files.get(key)
    if (file === undefined) throw new FileNotFound(key)
    return reply
      .headers({
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
