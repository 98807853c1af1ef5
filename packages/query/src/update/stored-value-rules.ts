import { FORBIDDEN_NAMES, checkJson, quote } from '@materials-mock/json'
import type { InputPath, Json, JsonRules } from '@materials-mock/json'
import { MAX_DEPTH } from '../limits.js'

/**
 * Checks an item, or a value in one, before it is stored.
 * @throws BodyInvalid for a key that starts with `$` or contains a dot, because no query could find it
 * (https://www.mongodb.com/docs/manual/core/dot-dollar-considerations/), and for a key that reaches
 * JavaScript's prototypes
 * @throws BoundExceeded for more than 50 levels
 */
export const checkStoredValue = (value: Json, path: InputPath): void =>
  checkJson(value, path, STORED_VALUE_RULES)

/**
 * Checks the condition of a `$pull`, whose keys are paths and operators.
 * @throws BodyInvalid for a key that reaches JavaScript's prototypes
 * @throws BoundExceeded for more than 50 levels
 */
export const checkCondition = (value: Json, path: InputPath): void =>
  checkJson(value, path, CONDITION_RULES)

const isForbidden = (name: string): boolean => FORBIDDEN_NAMES.has(name)

const describeForbiddenKey = (key: string): string => `must not have the key ${quote(key)}`

const STORED_VALUE_RULES: JsonRules = {
  maxDepth: MAX_DEPTH,
  checkKey: (key) =>
    /^\$|\.|\0/.test(key) || isForbidden(key) ? describeForbiddenKey(key) : undefined,
}

const CONDITION_RULES: JsonRules = {
  maxDepth: MAX_DEPTH,
  checkKey: (key) => (key.split('.').some(isForbidden) ? describeForbiddenKey(key) : undefined),
}
