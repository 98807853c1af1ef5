import { AssertionError } from 'node:assert'
import { types } from 'node:util'
import { runInThisContext } from 'node:vm'

import type { ItemExplanation } from '../admin/explain/explanation.js'
import type { Fault } from '../admin/faults/fault.js'
import { describeCount } from '../admin/journal/describe-count.js'
import type { Verification } from '../admin/journal/verify-requests.js'
import { EXPECTED_NAME, NAME_PATTERN } from '../admin/names.js'
import { ParameterInvalid } from '../errors.js'
import { copyInput, copyObjectInput } from '../json/copy-json.js'
import { describeClosest } from '../json/describe-closest.js'
import { InputPath } from '../json/input-path.js'
import { isJsonObject } from '../json/json.js'
import type { Json, JsonObject } from '../json/json.js'
import { quote } from '../json/quote.js'
import { MAX_DEPTH } from '../query/limits.js'

/**
 * Checks the names of the options of a member of a mock: a test in JavaScript has no types, and an
 * ignored option could let it pass.
 * @throws ParameterInvalid for a value that is not an object, and for an unknown option
 */
export function checkMemberOptions(
  member: string,
  options: unknown,
  names: readonly string[],
): void {
  if (!isJsonObject(options as Json)) {
    throw new ParameterInvalid(
      `the options of ${member} must be an object with ${names.join(', ')}, not ${quote(options)}`,
    )
  }
  const unknown = Object.keys(options as object).find((name) => !names.includes(name))
  if (unknown === undefined) return
  throw new ParameterInvalid(
    `${quote(unknown)} is not an option of ${member}, which has ${names.join(', ')}${describeClosest(unknown, names)}`,
  )
}

/** @throws ParameterInvalid for a name that no snapshot and no sandbox can have */
export function checkName(name: string): string {
  if (typeof name === 'string' && new RegExp(NAME_PATTERN).test(name)) return name
  throw new ParameterInvalid(`name must be ${EXPECTED_NAME}, not ${quote(name)}`)
}

/** Copies a fault as JSON. */
export const copyFault = (fault: Fault): Fault =>
  copyObjectInput(fault, new InputPath('body', 'fault'), MAX_DEPTH) as Fault

/** Copies an object as the JSON of a URL parameter. */
export const toParameter = (name: 'query' | 'projection', value: JsonObject): JsonObject =>
  copyObjectInput(value, new InputPath(name), MAX_DEPTH)

/** Returns an array of queries as the text of the parameter `order`. */
export const toOrderText = (order: readonly unknown[]): string =>
  JSON.stringify(copyInput(order, new InputPath('query', 'order'), MAX_DEPTH))

/** Returns a time as the body of the control has it. One that is no time is an error there. */
export const toTimeText = (time: Date | string): string =>
  types.isDate(time) && !Number.isNaN(time.getTime()) ? time.toISOString() : (time as string)

/**
 * Returns the classes of the Fetch standard: those of the test's runner, if it has any, as a response must be
 * an instance of its `Response`, or else Node's, which jsdom hides. They are looked up at each use,
 * because Node takes 30 ms to load them.
 */
export const findFetchClasses = (): Pick<typeof globalThis, 'Headers' | 'Request' | 'Response'> =>
  globalThis.Response === undefined
    ? (runInThisContext('globalThis') as typeof globalThis)
    : globalThis

/** Creates a request as `fetch` does, but allows relative paths, and adds the sandbox if there is one. */
export function toRequest(
  origin: string,
  sandboxName: string | undefined,
  input: Request | URL | string,
  init?: RequestInit,
): Request {
  const { Request } = findFetchClasses()
  const request = new Request(typeof input === 'string' ? new URL(input, origin) : input, init)
  if (sandboxName !== undefined) request.headers.set('x-mock-sandbox', sandboxName)
  return request
}

/** Adds `toString`, which is not enumerable, so that the explanation equals that of the control. */
export const withToString = (explanation: ItemExplanation): ItemExplanation =>
  Object.defineProperty(explanation, 'toString', { value: () => explanation.text })

/** @throws AssertionError if the requests are not as expected */
export function assertVerified({
  verified,
  text,
  count,
  expected,
}: Pick<Verification, 'verified' | 'text' | 'count' | 'expected'>): void {
  if (verified) return
  throw new AssertionError({
    message: text,
    actual: count,
    expected: expected.min === expected.max ? expected.min : describeCount(expected),
  })
}
