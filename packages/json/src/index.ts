// Values
export {
  asError,
  decodePart,
  findObjects,
  findValues,
  groupBy,
  isJsonArray,
  isJsonObject,
  parseDecimal,
  parseIfJson,
  toObject,
  toUrlTexts,
  tryParseJson,
  valueAt,
  withoutUndefined,
} from './json.js'
export type { Json, JsonObject } from './json.js'
export { copyInput, copyJson, copyObjectInput, findNonJson } from './copy-json.js'
export { isPlainObject, quote } from './quote.js'
export { decodeUtf8 } from './utf8.js'
export { InputPath } from './input-path.js'
export { MAX_COMPARED_LENGTH, checkKnown, describeClosest } from './describe-closest.js'

// Strict JSON, and rules for it
export { parseArrayInParts, parseStrictJson, parseStrictJsonInParts } from './strict-json.js'
export { copyInParts, isShort, writeInParts } from './write-json.js'
export { hasDuplicateKey, locateDuplicateKey } from './duplicate-keys.js'
export {
  FORBIDDEN_NAMES,
  MAX_KEYS,
  checkJson,
  describeViolation,
  findViolation,
  throwViolation,
} from './find-violation.js'
export type { JsonRules } from './find-violation.js'
export { locateJsonError } from './locate-json-error.js'

// MongoDB's Extended JSON
export { ExtendedJsonError, convertExtendedJson, mayBeExtendedJson } from './extended-json.js'
export type { ConvertedJson } from './extended-json.js'

// Schemas, and the messages of their errors
export { OptionalText, StringEnum, Text } from './string-schemas.js'
export { compileCheck, compileParser, compileValidator } from './validation/compile-validator.js'
export type { Check, HttpPart, Validator } from './validation/compile-validator.js'
export { describeSchema, describeSchemaError } from './validation/describe-schema.js'

// What is hidden or escaped where it is shown
export {
  HIDDEN,
  isSecretName,
  redactForm,
  redactHeaders,
  redactSecrets,
  redactUrl,
} from './redact.js'
export { createRedactor, hasPath, listHeaderSecrets, listNamedSecrets } from './redact-items.js'
export { createSecretFilter } from './secret-filter.js'
export { escapeControls, escapeLine } from './escape-controls.js'

// Errors: what makes them, and those of inputs
export {
  BodyInvalid,
  BoundExceeded,
  CatalogueError,
  FixturesInvalid,
  OptionsInvalid,
  ParameterInvalid,
  ProjectionInvalid,
  QueryInvalid,
  defineError,
} from './errors.js'
export type { ErrorClass, ErrorDetail } from './errors.js'
