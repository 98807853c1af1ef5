import type { FastifyInstance } from 'fastify'

import auth from '../plugins/auth.js'
import openapi from '../plugins/openapi.js'
import { jobFileList } from '../routes/job-files.js'
import { jobSubmission } from '../routes/job-submission.js'
import { materialImport } from '../routes/material-import.js'
import { noWrites } from '../routes/no-writes.js'
import { resource } from '../routes/resource.js'
import type { ResourceOptions } from '../routes/resource.js'
import { login, logout } from '../routes/session.js'
import type { SessionOptions } from '../routes/session.js'
import { sets } from '../routes/sets.js'
import { write } from '../routes/write.js'
import type { WriteOptions } from '../routes/write.js'

/** What a version is registered with: what its routes are. */
export type VersionOptions = SessionOptions &
  Omit<ResourceOptions & WriteOptions, 'collection'> & {
    /** Whether there are no routes that write. */
    readonly readOnly: boolean
  }

/** Routes that read, which only one resource has. */
const OWN_READS: Readonly<Record<string, typeof resource>> = { jobs: jobFileList }

/** Routes that write, which only one resource has. */
const OWN_WRITES: Readonly<Record<string, typeof write>> = {
  jobs: jobSubmission,
  materials: materialImport,
}

/**
 * What version 2018-10-01 of the platform's API serves. All but the login and the OpenAPI document
 * is behind auth.
 */
export async function version20181001(
  app: FastifyInstance,
  { loginEnvelope, readOnly, ...options }: VersionOptions,
): Promise<void> {
  const { store } = options
  app.register(openapi, { store })
  app.register(login, { store, loginEnvelope })
  app.register(async (members) => {
    members.register(auth, { sessions: store.sessions })
    members.register(logout, { store })
    for (const [name, collection] of store.collections) {
      const own = { ...options, collection, prefix: `/${name}` }
      const reads = [resource, OWN_READS[name] ?? []].flat()
      for (const each of reads) members.register(each, own)
      const writes = readOnly ? [noWrites] : [write, sets, OWN_WRITES[name] ?? []].flat()
      members.register(async (scope) => {
        for (const each of writes) await each(scope, own)
      }, own)
    }
  })
}
