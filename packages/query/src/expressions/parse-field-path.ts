import type { Json } from '@materials-mock/json'
import { DB_REF_FIELDS, getField, MAX_NAMES, splitPath } from '../values/path.js'
import type { Segment } from '../values/path.js'
import { isArray, isObject } from '../values/value.js'
import type { Value } from '../values/value.js'
import { constant } from './parse-context.js'
import type { Expression, ParseContext } from './parse-context.js'
import type { Scope } from './scope.js'

/** The variables that need a clock, a cluster or a session. */
const UNSUPPORTED_VARIABLES: ReadonlySet<string> = new Set([
  'NOW',
  'CLUSTER_TIME',
  'SEARCH_META',
  'USER_ROLES',
  'JS_SCOPE',
  'IS_MR',
])

/**
 * Parses a field path, `$a.b`, or a variable, `$$x.a`
 * (https://www.mongodb.com/docs/manual/reference/aggregation-variables/).
 * @throws the path's error for a path or a variable that MongoDB rejects
 */
export function parseFieldPath(text: string, context: ParseContext): Expression {
  const isVariable = text.startsWith('$$')
  const [variable = '', ...names] = isVariable
    ? text.slice(2).split('.')
    : ['CURRENT', ...text.slice(1).split('.')]
  for (const name of names) checkName(name, context)
  if (names.length >= MAX_NAMES)
    throw context.path.error(`must have at most ${MAX_NAMES} names in its path`)

  if (variable === 'REMOVE') return constant(undefined)
  const read = compileVariable(variable, context)
  if (names.length === 0) return { evaluate: read }
  const segments = splitPath(names.join('.'))
  const { scope } = context
  return {
    evaluate: () => {
      scope.spend(1)
      return getInside(read(), segments, 0, scope)
    },
  }
}

/** @throws the path's error for a name that MongoDB rejects */
export function checkName(name: string, { path }: ParseContext): void {
  if (name === '') throw path.error('must not have an empty name in its path')
  if (name.startsWith('$') && !DB_REF_FIELDS.has(name))
    throw path.error(`must not have "${name}" in its path`)
  if (name.includes('\0')) throw path.error('must not have a null character in its path')
}

/** @throws the path's error for a name that MongoDB rejects */
export function parseVariableName(name: Json, { path }: ParseContext): string {
  if (
    typeof name === 'string' &&
    (name === 'CURRENT' || /^[a-z\u0080-\uffff][\w\u0080-\uffff]*$/.test(name))
  )
    return name
  throw path.error(
    `must name a variable with a small letter first, then letters, digits and _, not ${JSON.stringify(name)}`,
  )
}

function compileVariable(name: string, { path, scope, variables }: ParseContext): () => Value {
  const index = variables.get(name)
  if (index !== undefined) return () => scope.variables[index]
  if (name === 'ROOT' || name === 'CURRENT') return () => scope.root
  if (UNSUPPORTED_VARIABLES.has(name)) throw path.error(`is not supported: the variable $$${name}`)
  throw path.error(`must not use the variable "$$${name}", which is not defined`)
}

/** Returns the value inside an object, or the array of the values inside the objects of an array. */
function getInside(value: Value, segments: readonly Segment[], from: number, scope: Scope): Value {
  if (isArray(value)) return getFromElements(value, segments, from, scope)
  let current: Value = value
  for (let index = from; index < segments.length; index += 1) {
    if (isArray(current)) return getFromElements(current, segments, index, scope)
    if (!isObject(current)) return undefined
    current = getField(current, segments[index]!)
  }
  return current
}

/** Leaves out objects without the value, and elements that are not objects. */
function getFromElements(
  array: readonly Value[],
  segments: readonly Segment[],
  from: number,
  scope: Scope,
): Value {
  scope.spend(array.length)
  const found: Value[] = []
  for (const element of array) {
    if (!isObject(element)) continue
    const value = getInside(element, segments, from, scope)
    if (value !== undefined) found.push(value)
  }
  return found
}
