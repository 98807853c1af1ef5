import type { Json } from '../../json/json.js'
import { quote } from '../../json/quote.js'
import type { InputPath } from '../../json/input-path.js'
import { equalValues } from '../values/compare-values.js'
import { checkStoredValue } from './stored-value-rules.js'
import type { Modifier } from './update-path.js'
import { pull } from './pull.js'
import { addToSet, push } from './push.js'

/**
 * What MongoDB's update operators make of a value. Each takes the operand of one field and its
 * place, and throws BodyInvalid for an operand that MongoDB refuses
 * (https://www.mongodb.com/docs/manual/reference/operator/update/).
 */
export const modifiers = {
  $set: set,
  $unset: unset,
  $inc: increment,
  $push: push,
  $addToSet: addToSet,
  $pull: pull,
}

/** The operators that there are. */
export type UpdateOperator = keyof typeof modifiers

function set(operand: Json, place: InputPath): Modifier {
  checkStoredValue(operand, place)
  return {
    creates: true,
    change: (value) => (value !== undefined && equalValues(value, operand) ? value : operand),
  }
}

/** Takes a field away whatever the operand is; an entry of a list becomes null. */
function unset(): Modifier {
  return { creates: false, change: () => undefined }
}

function increment(operand: Json, place: InputPath): Modifier {
  if (typeof operand !== 'number')
    throw place.error(`must be a number to add, not ${quote(operand)}`)

  return {
    creates: true,
    change: (value = 0) => {
      if (typeof value !== 'number')
        throw place.error(`must be of a field that is a number, not ${quote(value)}`)

      const sum = value + operand
      if (Number.isFinite(sum)) return sum
      throw place.error(`must give a number that a double can hold, not ${value} + ${operand}`)
    },
  }
}
