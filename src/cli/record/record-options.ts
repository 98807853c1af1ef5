import { Type } from '@sinclair/typebox'
import type { Static } from '@sinclair/typebox'

import { isJsonObject } from '../../json/json.js'
import { RESOURCES } from '../../resources/resources.js'
import { REMOTE_OPTIONS } from '../remote/remote-options.js'
import type { RemoteOptions } from '../remote/remote-options.js'

/** The keywords of an option that names resources. */
export const RESOURCE_NAMES = {
  pattern: '^[a-z0-9-]+(,[a-z0-9-]+)*$',
  expected: 'names of resources such as materials,jobs',
  title: 'NAME,…',
} as const

/** The options of `materials-mock record URL`. Each is a flag. */
export const RecordOptions = Type.Object(
  {
    ...REMOTE_OPTIONS,
    out: Type.Optional(
      Type.String({ minLength: 1, title: 'DIR', description: 'new folder of fixtures to write' }),
    ),
    resource: Type.Optional(
      Type.String({
        ...RESOURCE_NAMES,
        description: `resources to record (default: those of the platform that are there)`,
      }),
    ),
    query: Type.Optional(
      Type.String({
        isValid: isJsonObjectText,
        expected: "a JSON object in MongoDB's query language",
        title: 'JSON',
        description: 'record only the items that match',
      }),
    ),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 10_000_000, // 17 GB
        title: 'N',
        description: 'number of items of each resource at most',
      }),
    ),
    redact: Type.Optional(
      Type.String({
        pattern: '^[^,.]+(\\.[^,.]+)*(,[^,.]+(\\.[^,.]+)*)*$',
        isValid: (paths: string) => !paths.split(',').includes('_id'),
        expected: 'dotted paths, separated by commas, and not _id',
        title: 'PATH,…',
        description: 'paths whose values are emptied',
      }),
    ),
  },
  { additionalProperties: false },
)
export type RecordOptions = Static<typeof RecordOptions> & RemoteOptions

/** Returns the names of the resources to record. */
export const listResources = ({ resource }: RecordOptions): string[] => [
  ...new Set(resource?.split(',') ?? Object.keys(RESOURCES)),
]

function isJsonObjectText(text: string): boolean {
  try {
    return isJsonObject(JSON.parse(text))
  } catch {
    return false
  }
}
