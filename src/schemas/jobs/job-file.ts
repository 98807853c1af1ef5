import { Type } from '@sinclair/typebox'
import type { Static } from '@sinclair/typebox'

/** A file of a job. Unlike the platform's, it has no signed URL: the mock has no storage. */
export const JobFile = Type.Object(
  {
    key: Type.String({ description: 'The path in the storage.', examples: ['job/pw_scf.in'] }),
    name: Type.String({ examples: ['pw_scf.in'] }),
    size: Type.Integer({ minimum: 0, description: 'The size in bytes.', examples: [625] }),
  },
  { $id: 'JobFile', description: 'A file of a job.' },
)
export type JobFile = Static<typeof JobFile>
