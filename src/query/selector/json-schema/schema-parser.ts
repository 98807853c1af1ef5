import type { InputPath } from '../../../json/input-path.js'
import type { Json, JsonObject } from '../../../json/json.js'
import type { SchemaTarget, SchemaTest } from './schema-target.js'

/** What the keywords of a schema need to compile nested schemas and regular expressions. */
export interface SchemaParser {
  /** @throws the path's error for a value that is not a valid schema */
  readonly parseSchema: (schema: Json, path: InputPath, target: SchemaTarget) => SchemaTest
  /** @throws the path's error or limitError for an invalid or too expensive pattern */
  readonly parsePattern: (pattern: string, path: InputPath) => (text: string) => boolean
}

/** Compiles the keywords of one kind in a schema. */
export type KeywordsParser = (
  schema: JsonObject,
  path: InputPath,
  target: SchemaTarget,
  parser: SchemaParser,
) => readonly SchemaTest[]
