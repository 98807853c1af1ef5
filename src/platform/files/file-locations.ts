import type { FastifyRequest } from 'fastify'

import { toBaseUrl } from '../../http/request-scope.js'
import type { Account } from '../../store/sign-in/account.js'
import type { FileOperation } from '../../store/files/file-storage.js'

/** Where every file is, as the platform says it. Clients pass it on, and nobody reads it. */
export const LOCATION = { bucket: 'materials-mock', region: 'us-east-1', provider: 'aws' } as const

/** Returns the key of a file in an account's folder. */
export const toKey = ({ slug, username }: Account, name: string): string =>
  `${slug ?? username}/${name}`

/** The path of all signed URLs. */
export const STORAGE_PATH = '/storage'

/** Returns the URL that gives access to a file without credentials. */
export function toSignedUrl(
  request: FastifyRequest,
  operation: FileOperation,
  key: string,
): string {
  const path = key.split('/').map(encodeURIComponent).join('/')
  const search = `operation=${operation}&signature=${request.store.files.sign(operation, key)}`
  return `${toBaseUrl(request)}${STORAGE_PATH}/${path}?${search}`
}
