import { Type } from '@sinclair/typebox'
import type { Static } from '@sinclair/typebox'

import { StringEnum } from '../../json/string-enum.js'

/** A path in an account's folder, without `.` and `..`. */
const FileName = Type.String({
  pattern: '^(?!\\.\\.?(?:/|$))[^/\\x00-\\x1f]+(?:/(?!\\.\\.?(?:/|$))[^/\\x00-\\x1f]+)*$',
  maxLength: 1000,
  expected: 'a path such as records/one.json, without "." and ".."',
  examples: ['records/one.json'],
})

const AccountId = Type.Optional(
  Type.String({ description: 'The account whose folder it is: your own, which is the default.' }),
)

/** The body that creates a file. */
export const NewFile = Type.Object(
  {
    name: FileName,
    body: Type.String({
      description: 'The text, or a data URL: data:<type>;base64,…',
      examples: ['{"value": 1}'],
    }),
    accountId: AccountId,
  },
  { $id: 'NewFile', additionalProperties: false },
)
export type NewFile = Static<typeof NewFile>

/** The body that asks for signed URLs. */
export const SignedUrlsBody = Type.Object(
  {
    names: Type.Array(FileName, { maxItems: 1000, examples: [['records/one.json']] }),
    operation: Type.Optional(
      StringEnum(['getObject', 'putObject'], {
        description: 'What the URLs allow: to download (the default), or to upload with PUT.',
        examples: ['putObject'],
      }),
    ),
    accountId: AccountId,
  },
  { $id: 'SignedUrls', additionalProperties: false },
)
export type SignedUrlsBody = Static<typeof SignedUrlsBody>

/** Where a file is, as the platform says it. */
const LOCATION = {
  key: Type.String({
    description: 'The path in the storage.',
    examples: ['demo/records/one.json'],
  }),
  bucket: Type.String({ examples: ['materials-mock'] }),
  region: Type.String({ examples: ['us-east-1'] }),
  provider: Type.String({ examples: ['aws'] }),
}

/** A stored file. */
export const CloudFile = Type.Object(
  {
    ...LOCATION,
    name: Type.String({ examples: ['records/one.json'] }),
    size: Type.Integer({ minimum: 0, description: 'The size in bytes.', examples: [12] }),
    lastModified: Type.Integer({ description: 'In seconds since the epoch.' }),
  },
  { $id: 'CloudFile' },
)

/** A file, and the URL that gives access to it without credentials. */
export const SignedFile = Type.Object(
  { ...LOCATION, signedUrl: Type.String() },
  { $id: 'SignedFile' },
)
