import type { InputPath } from '../../../json/input-path.js'
import type { Json, JsonObject } from '../../../json/json.js'
import { quote } from '../../../json/quote.js'
import { getField, isContainer } from '../../values/path-segments.js'
import type { FieldUpdate } from '../field-update.js'
import { parseUpdatePath } from '../update-path.js'
import type { UpdateSegment } from '../update-path.js'

/**
 * Compiles the `$rename` of one field into two updates: of the new path and of the old one. Neither
 * path may go through an array (https://www.mongodb.com/docs/manual/reference/operator/update/rename/).
 * @throws BodyInvalid for paths that MongoDB rejects
 */
export function compileRename(from: string, to: Json, path: InputPath): FieldUpdate[] {
  if (typeof to !== 'string') throw path.error(`must be the new path, not ${quote(to)}`)
  const source = parseStaticPath(from, path)
  const target = parseStaticPath(to, path)
  if (`${to}.`.startsWith(`${from}.`) || `${from}.`.startsWith(`${to}.`))
    throw path.error(`must not be on the same path as ${quote(to)}`)

  const findSource = (item: JsonObject): Json | undefined => findRenamed(item, source, path)
  const isInert = (item: JsonObject): boolean => findSource(item) === undefined
  const common = { path, isInert, writtenLength: 0 }
  return [
    {
      ...common,
      segments: target,
      createsPath: true,
      forbidsArrays: true,
      apply: (_value, item) => findSource(item),
    },
    { ...common, segments: source, createsPath: false, apply: () => undefined },
  ]
}

function parseStaticPath(fieldPath: string, path: InputPath): readonly UpdateSegment[] {
  const segments = parseUpdatePath(fieldPath, path)
  const dynamic = segments.find(({ identifier }) => identifier !== undefined)
  if (dynamic === undefined) return segments
  throw path.error(`must not have "${dynamic.name}" in its old or new path`)
}

/** Returns the value to rename, or undefined. */
function findRenamed(
  item: JsonObject,
  segments: readonly UpdateSegment[],
  path: InputPath,
): Json | undefined {
  let value: Json | undefined = item
  let isInArray = false
  for (const segment of segments) {
    if (value === undefined) return undefined
    if (!isContainer(value) || (Array.isArray(value) && segment.index < 0))
      throw path.error(`must not go through ${quote(value)}`)
    isInArray ||= Array.isArray(value)
    value = getField(value, segment)
  }
  if (value !== undefined && isInArray) throw path.error('must not rename in an array')
  return value
}
