import type { Json } from '../../../json/json.js'
import { hasType } from '../../values/bson-types.js'
import { compilePath } from '../../values/compile-path.js'

/** A compiled schema, or one of its keywords. The input depends on the target of the schema. */
export type SchemaTest = (input: Json) => boolean

/** What a schema describes. */
export interface SchemaTarget {
  /** Whether it is the whole item, which is always an object. */
  readonly isItem: boolean
  /** Compiles a test of the values that the schema describes: does one of them pass? */
  readonly bind: (test: (value: Json | undefined) => boolean) => SchemaTest
}

/** The item itself. The input of its schema is the item. */
export const ITEM: SchemaTarget = { isItem: true, bind: (test) => test }

/** An element of an array, or a property that a pattern found. The input is the value. */
export const VALUE: SchemaTarget = { isItem: false, bind: (test) => test }

/**
 * Creates the target of a schema in `properties`. The input is the object. As in MongoDB, a name
 * with dots is a path.
 */
export const createProperty = (name: string): SchemaTarget => ({
  isItem: false,
  bind: (test) => compilePath(name, 'array', test),
})

/** Passes for any input. */
export const PASS: SchemaTest = () => true

/**
 * Compiles a keyword that restricts values of one BSON type only: any other value passes, and so
 * does a missing one.
 */
export function restrict(
  target: SchemaTarget,
  type: 'number' | 'string' | 'array' | 'object',
  test: (value: never) => boolean,
): SchemaTest {
  const testValue = test as (value: Json) => boolean
  if (target.isItem) return type === 'object' ? testValue : PASS
  const types = [type]
  const applies = target.bind((value) => hasType(value, types))
  const passes = target.bind((value) => hasType(value, types) && testValue(value as Json))
  return (input) => passes(input) || !applies(input)
}

/** Compiles tests into one that passes if all of them do. */
export function every(tests: readonly SchemaTest[]): SchemaTest {
  const [only] = tests
  if (only !== undefined && tests.length === 1) return only
  return (input) => tests.every((test) => test(input))
}
