import { Type } from '@sinclair/typebox'
import type { Static } from '@sinclair/typebox'

/** A file of a job, as the platform lists it. */
export const JobFile = Type.Object(
  {
    key: Type.String({
      description: 'The path on the disk of the cluster.',
      examples: ['/cluster-001-home/demo/data/demo-default/job-9gyhfncWDhnSyzALv/pw_scf.out'],
    }),
    size: Type.Integer({ minimum: 0, description: 'The number of bytes.', examples: [625] }),
    bucket: Type.String({ examples: ['materials-mock'] }),
    region: Type.String({ examples: ['us-east-1'] }),
    provider: Type.String({ examples: ['aws'] }),
    lastModified: Type.Integer({ description: 'In s since the epoch.', examples: [1687407550] }),
    name: Type.String({ examples: ['pw_scf.out'] }),
    signedUrl: Type.String({ description: 'Gives the bytes, without credentials.' }),
  },
  { $id: 'JobFile', description: 'A file of a job.' },
)
export type JobFile = Static<typeof JobFile>

/** The names of files that a client wants to upload. */
export const PresignedUrlsBody = Type.Object(
  {
    files: Type.Array(
      Type.String({ minLength: 1, maxLength: 1024, pattern: '^(?!/)(?!.*\\.\\.)' }),
      {
        maxItems: 1000,
        description: 'Paths in the working directory of the job.',
        examples: [['pw_scf.out']],
      },
    ),
  },
  { $id: 'PresignedUrlsBody', additionalProperties: false },
)
export type PresignedUrlsBody = Static<typeof PresignedUrlsBody>

/** The URLs to which a PUT uploads files. */
export const PresignedUrls = Type.Object({
  presignedURLs: Type.Array(
    Type.Object({
      file: Type.String(),
      URL: Type.String({ description: 'A PUT stores the file.' }),
    }),
  ),
})

/** The body of `output-files`: nothing is known about it. */
export const OutputFilesBody = Type.Object(
  {},
  { $id: 'OutputFilesBody', additionalProperties: true, examples: [{ files: ['pw_scf.out'] }] },
)
