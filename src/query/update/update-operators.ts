import { compileAddToSet } from './arrays/add-to-set.js'
import { compilePop } from './arrays/pop.js'
import { compilePullAll } from './arrays/pull-all.js'
import { compilePull } from './arrays/pull.js'
import { compilePush } from './arrays/push.js'
import { compileInc, compileMul } from './fields/arithmetic.js'
import { compileBit } from './fields/bit.js'
import { compileCompare } from './fields/compare.js'
import { compileCurrentDate } from './fields/current-date.js'
import { compileSet, compileUnset } from './fields/set.js'

/**
 * The update operators of one field
 * (https://www.mongodb.com/docs/manual/reference/operator/update/); `$rename`, which has two, is in
 * `fields/rename.ts`. Each function compiles the operand for one field. It takes the operand's path
 * in the body, and throws BodyInvalid for an operand that MongoDB rejects.
 */
export const UPDATE_OPERATORS = {
  $set: compileSet,
  $unset: compileUnset,
  $inc: compileInc,
  $mul: compileMul,
  $min: compileCompare(-1),
  $max: compileCompare(1),
  $bit: compileBit,
  $currentDate: compileCurrentDate,
  $push: compilePush,
  $addToSet: compileAddToSet,
  $pop: compilePop,
  $pull: compilePull,
  $pullAll: compilePullAll,
}

/** The name of a supported update operator. */
export type UpdateOperator = keyof typeof UPDATE_OPERATORS
