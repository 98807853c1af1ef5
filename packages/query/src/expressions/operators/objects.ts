import type { Json } from '@materials-mock/json'
import { getTypeName, isArray, isNullish, isObject } from '../../values/value.js'
import type { Value, ValueObject } from '../../values/value.js'
import { defineUnary } from '../define-function.js'
import { ARRAY, constant, OBJECT } from '../parse-context.js'
import type { Expression, ParseContext, ParseOperator } from '../parse-context.js'

const toEntries = defineUnary(OBJECT, (object, { scope }) => {
  const entries = Object.entries(object)
  scope.spend(entries.length)
  return entries.map(([k, v]) => ({ k, v }))
})

/** The first entry decides the form of all entries: `[name, value]` or `{k: name, v: value}`. */
const fromEntries = defineUnary(ARRAY, (array, context) => {
  context.scope.spend(array.length)
  const isPairs = isArray(array[0])
  return Object.fromEntries(
    array.map((entry) => (isPairs ? takePair(entry, context) : takeKeyAndValue(entry, context))),
  ) as ValueObject
})

function takePair(entry: Value, context: ParseContext): readonly [string, Value] {
  if (!isArray(entry) || entry.length !== 2)
    throw context.valueError('must be of arrays of two, a name and a value', entry)
  return [takeName(entry[0], context), entry[1]]
}

function takeKeyAndValue(entry: Value, context: ParseContext): readonly [string, Value] {
  if (
    !isObject(entry) ||
    Object.keys(entry).length !== 2 ||
    entry.k === undefined ||
    entry.v === undefined
  )
    throw context.valueError('must be of objects of k and v, or of arrays of two', entry)
  return [takeName(entry.k, context), entry.v]
}

function takeName(name: Value, context: ParseContext): string {
  if (typeof name === 'string' && !name.includes('\0')) return name
  throw context.valueError('must have names that are strings without a null character', name)
}

/** Parses a name, or `{field, input}`; the input is the item by default. */
const parseGetField: ParseOperator = (operand, context) => {
  const isShort = !isNamed(operand)
  const operands = isShort
    ? { field: operand, input: '$$CURRENT' }
    : context.parseArguments(operand, ['field', 'input'], [])
  const fieldContext = isShort ? context : context.child('field')
  const field = fieldContext.parse(operands.field)
  if (isLiteral(operands.field)) takeFieldName(field.constant?.value, fieldContext)
  const input = context.parseArgument(operands, 'input')
  return {
    evaluate: () => {
      context.scope.spend(1)
      const name = takeFieldName(field.evaluate(), fieldContext)
      const object = input.evaluate()
      if (object === null) return null
      return isObject(object) && Object.hasOwn(object, name) ? object[name] : undefined
    },
  }
}

/** Whether an operand has named arguments; `{"$literal": "$a"}` is a name. */
const isNamed = (operand: Json): boolean =>
  isObject(operand) && Object.keys(operand)[0]?.startsWith('$') !== true

/** Whether an operand is a literal, whose type MongoDB checks when it parses it. */
const isLiteral = (operand: Json): boolean =>
  isObject(operand)
    ? '$literal' in operand || '$const' in operand
    : !Array.isArray(operand) && !isPath(operand)

const isPath = (operand: Json): boolean => typeof operand === 'string' && operand.startsWith('$')

function takeFieldName(name: Value, context: ParseContext): string {
  if (typeof name === 'string') return name
  throw context.valueError("must be a field's name", name)
}

/** Defines `$setField` or `$unsetField`; its `field` is a constant name. */
const defineSet =
  (isUnset: boolean): ParseOperator =>
  (operand, context) => {
    const operands = isUnset
      ? context.parseArguments(operand, ['field', 'input'], [])
      : context.parseArguments(operand, ['field', 'input', 'value'], [])
    const fieldContext = context.child('field')
    const field = fieldContext.parse(operands.field)
    if (!isLiteral(operands.field)) throw fieldContext.path.error('must be a constant name')
    const name = takeName(field.constant?.value, fieldContext)
    const input = context.parseArgument(operands, 'input')
    const value: Expression = isUnset
      ? constant(undefined)
      : context.parseArgument(operands, 'value')
    return {
      evaluate: () => {
        const inputValue = input.evaluate()
        if (isNullish(inputValue)) return null
        const object = context.take(OBJECT, inputValue, 'input')
        context.scope.spend(Object.keys(object).length)
        return setField(object, name, value.evaluate())
      },
    }
  }

/** Returns a copy with a field set, in its place or at the end. A missing value removes the field. */
function setField(object: ValueObject, name: string, value: Value): ValueObject {
  const entries = Object.entries(object)
  if (value === undefined) return Object.fromEntries(entries.filter(([key]) => key !== name))
  return Object.fromEntries([...entries, [name, value]])
}

/** Returns the size of an object in BSON, in bytes (https://bsonspec.org/spec.html). */
const bsonSize = defineUnary(OBJECT, (object, context) => getDocumentSize(object, context, 1))

function getBsonSize(value: Value, context: ParseContext, level: number): number {
  switch (getTypeName(value)) {
    case 'int':
      return 4
    case 'bool':
      return 1
    case 'double':
    case 'long':
      return 8
    case 'string':
      context.scope.spendText((value as string).length)
      return 4 + Buffer.byteLength(value as string) + 1
    case 'array':
    case 'object':
      return getDocumentSize(value as ValueObject, context, level)
    default:
      return 0
  }
}

/** The bytes of a document are its length, a type, a name and a value for each field, and a terminator. */
function getDocumentSize(document: ValueObject, context: ParseContext, level: number): number {
  context.scope.checkLevel(level)
  const entries = Object.entries(document)
  context.scope.spend(entries.length)
  return entries.reduce(
    (size, [name, field]) =>
      size + 1 + Buffer.byteLength(name) + 1 + getBsonSize(field, context, level + 1),
    4 + 1,
  )
}

/** https://www.mongodb.com/docs/manual/reference/operator/aggregation/#object-expression-operators */
export const OBJECTS: Readonly<Record<string, ParseOperator>> = {
  $arrayToObject: fromEntries,
  $bsonSize: bsonSize,
  $getField: parseGetField,
  $objectToArray: toEntries,
  $setField: defineSet(false),
  $unsetField: defineSet(true),
}
