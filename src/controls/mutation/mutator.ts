import { randomUUID } from 'node:crypto'
import { appendFileSync } from 'node:fs'

import type { FastifyRequest } from 'fastify'

import { isJsonArray, isJsonObject, toObject, withoutUndefined } from '@materials-mock/json'
import type { Json, JsonObject } from '@materials-mock/json'
import { compileOutcome } from '../faults/compile-outcome.js'
import type { CompiledOutcome } from '../faults/compile-outcome.js'
import type { AppliedOutcome } from '../faults/fault-rules.js'
import type { FaultOptions } from '../faults/inject-fault.js'
import { dropPart } from './drop-part.js'
import type { ChangedAnswer, Mutation } from './mutation.js'

/** The header of the requests by which a mutator asks for the answer without its change. */
const UNCHANGED_HEADER = 'x-mock-unchanged'

/**
 * Returns a function that returns the outcome of a mutation for a request to its route, like the outcome of
 * a fault. An answer that ignores a part of the request is compared with the answer to the whole request.
 */
export function createMutator(mutation: Mutation): NonNullable<FaultOptions['mutate']> {
  const { method, path, change } = mutation
  const key = randomUUID()
  let isLogged = false

  return (request) => {
    if (request.use?.path !== path || request.method !== method) return undefined
    if (request.headers[UNCHANGED_HEADER] === key) return undefined
    switch (change) {
      case 'status-500':
      case 'status-401': {
        const status = Number(change.slice(-3))
        log(request, '', `status ${status}`)
        return toOutcome(compileOutcome({ status }))
      }
      case 'reset':
      case 'hang':
        log(request, '', change === 'reset' ? 'the connection is reset' : 'no answer')
        return toOutcome({ drop: change })
      case 'not-kept':
        request.copiedStore = request.sandbox.copyStore()
        return toOutcome({
          patch: (body) => {
            if (isSuccess(body)) log(request, 'kept', 'not kept')
            return body
          },
        })
      case 'ignore-sort':
      case 'ignore-limit':
      case 'ignore-query': {
        return getUnchanged(request).then((before) => {
          dropPart(request, IGNORED[change])
          return toOutcome({ patch: (body) => compare(request, before, body) })
        })
      }
      default:
        return toOutcome({ patch: (body) => compare(request, body, changeBody(body, mutation)) })
    }
  }

  async function getUnchanged({ server, headers, originalUrl }: FastifyRequest): Promise<Json> {
    const response = await server.inject({
      url: originalUrl,
      // A request of the page leaves no trace.
      headers: { ...headers, 'x-mock-page': 'true', [UNCHANGED_HEADER]: key },
    })
    return response.json<Json>()
  }

  /** Logs that an answer has changed, if it has. Returns the changed one. */
  function compare(request: FastifyRequest, before: Json, after: JsonObject): JsonObject {
    if (isLogged) return after
    const texts = [JSON.stringify(before), JSON.stringify(after)] as const
    if (texts[0] !== texts[1]) log(request, ...excerptDifference(...texts))
    return after
  }

  /** Writes the first change at once: the process may end before it could be written later. */
  function log({ originalUrl: url }: FastifyRequest, before: string, after: string): void {
    if (mutation.log === undefined || isLogged) return
    isLogged = true
    const changed: ChangedAnswer = { url, before, after }
    appendFileSync(mutation.log, `${JSON.stringify(changed)}\n`)
  }
}

const IGNORED = { 'ignore-sort': 'sort', 'ignore-limit': 'limit', 'ignore-query': 'query' } as const

const toOutcome = (outcome: CompiledOutcome): AppliedOutcome => ({
  outcome,
  rule: { _id: null },
  isMutation: true,
})

const isSuccess = (body: JsonObject): boolean => body.status !== 'error'

/** Returns the changed body of a success. A login has its fields in the body itself, others in `data`. */
function changeBody(body: JsonObject, { change, field, factor = 1 }: Mutation): JsonObject {
  if (!isSuccess(body)) return body
  if (field !== undefined) {
    const names = field.split('.')
    const changed = changeField(body.data ?? body, names, (value) =>
      change === 'unit'
        ? scale(value, factor)
        : change === 'type'
          ? toOtherType(value)
          : change === 'null'
            ? null
            : undefined,
    )
    return body.data === undefined ? toObject(changed) : { ...body, data: changed }
  }
  if (!isJsonArray(body.data)) return body
  const [first, ...others] = body.data
  if (first === undefined) return body
  const data = change === 'empty' ? [] : change === 'lose-item' ? others : [first, first, ...others]
  return { ...body, data }
}

/** Changes the fields at a path, which goes through arrays. A field whose value becomes undefined is left out. */
function changeField(
  value: Json,
  [name = '', ...rest]: readonly string[],
  toChanged: (value: Json) => Json | undefined,
): Json {
  if (isJsonArray(value)) return value.map((each) => changeField(each, [name, ...rest], toChanged))
  if (!isJsonObject(value) || !Object.hasOwn(value, name)) return value
  const field = value[name]!
  const changed = rest.length > 0 ? changeField(field, rest, toChanged) : toChanged(field)
  return toObject(withoutUndefined({ ...value, [name]: changed }))
}

function scale(value: Json, factor: number): Json {
  if (typeof value === 'number') return value * factor
  return Array.isArray(value) ? value.map((each: Json) => scale(each, factor)) : value
}

/** Returns a value of another type: a string becomes a number, and any other value a string. */
export function toOtherType(value: Json): Json {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (typeof value === 'string') return 1
  return value === null ? '' : JSON.stringify(value)
}

/** The characters of an excerpt, and those before the difference. */
const EXCERPT = { length: 160, before: 60 }

function excerptDifference(before: string, after: string): [before: string, after: string] {
  let start = 0
  while (start < before.length && before[start] === after[start]) start += 1
  const from = Math.max(0, start - EXCERPT.before)
  const excerpt = (text: string): string =>
    `${from > 0 ? '…' : ''}${text.slice(from, from + EXCERPT.length)}${text.length > from + EXCERPT.length ? '…' : ''}`
  return [excerpt(before), excerpt(after)]
}
