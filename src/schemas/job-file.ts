import { Type } from '@sinclair/typebox'
import type { Static } from '@sinclair/typebox'

/** One file of a job, as the platform lists it; a mock has no storage to sign URLs for. */
export const JobFile = Type.Object(
  {
    key: Type.String({ description: 'The path in the storage', examples: ['job/pw_scf.in'] }),
    name: Type.String({ examples: ['pw_scf.in'] }),
    size: Type.Integer({ minimum: 0, description: 'In bytes', examples: [625] }),
  },
  { $id: 'JobFile', description: 'A file of a job' },
)
export type JobFile = Static<typeof JobFile>
