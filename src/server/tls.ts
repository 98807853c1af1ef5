import { X509Certificate, createPrivateKey } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createSecureContext } from 'node:tls'

import { asError } from '@materials-mock/json'
import { OptionsInvalid } from '../errors.js'
import { describeReadError } from '../fixtures/read-fixture-file.js'

export interface TlsFiles {
  readonly cert: Buffer
  readonly key: Buffer
}

/**
 * Reads the certificate and the key of a server of https; undefined without them.
 * @throws OptionsInvalid with the file that can't be read, and for files that are no pair
 */
export function readTlsFiles(
  tlsCert: string | undefined,
  tlsKey: string | undefined,
): TlsFiles | undefined {
  if (tlsCert === undefined || tlsKey === undefined) return undefined
  const files = { cert: read('--tls-cert', tlsCert), key: read('--tls-key', tlsKey) }
  try {
    createSecureContext(files)
    // A key of another kind than the certificate's is no error of the context.
    if (!new X509Certificate(files.cert).checkPrivateKey(createPrivateKey(files.key)))
      throw new Error('the key is not that of the certificate')
  } catch (error) {
    throw new OptionsInvalid(
      `--tls-cert ${tlsCert} and --tls-key ${tlsKey} must be a certificate and its key in PEM: ${asError(error).message}`,
    )
  }
  return files
}

function read(flag: string, file: string): Buffer {
  try {
    return readFileSync(file)
  } catch (error) {
    throw new OptionsInvalid(`${flag} ${file} can't be read: ${describeReadError(error)}`)
  }
}
