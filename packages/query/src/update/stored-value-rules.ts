import { FORBIDDEN_NAMES, checkJson, quote } from '@materials-mock/json'
import type { InputPath, Json, JsonRules } from '@materials-mock/json'
import { MAX_DEPTH } from '../limits.js'

/**
 * @throws BodyInvalid for a key that no query could find
 * (https://www.mongodb.com/docs/manual/core/dot-dollar-considerations/), or that reaches
 * JavaScript's prototypes; BoundExceeded for more than 50 levels
 */
export const checkStoredValue = (value: Json, path: InputPath): void =>
  checkJson(value, path, STORED_VALUE_RULES)

/** @throws BodyInvalid for a key that reaches JavaScript's prototypes; BoundExceeded */
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
