import type { FastifyRequest } from 'fastify'

import { ParameterInvalid } from '../../errors.js'
import type { JsonObject } from '../../json/json.js'
import type { ListQueryCompiler } from '../../query/list-query.js'

const NAMES = ['query', 'projection'] as const

/**
 * Returns a preValidation hook that parses the JSON of `query` and `projection`, so that the
 * route's schema validates the parsed objects. It drops all other parameters.
 */
export const parseListParameters =
  (compiler: ListQueryCompiler) =>
  (request: FastifyRequest, _reply: unknown, done: () => void): void => {
    const parameters = request.query as Readonly<Record<string, string | string[] | undefined>>
    const parsed: Record<string, JsonObject> = {}
    for (const name of NAMES) {
      const text = parameters[name]
      if (text !== undefined) parsed[name] = compiler.parse(name, toSingleValue(name, text))
    }
    request.query = parsed
    done()
  }

/** @throws ParameterInvalid for a parameter that is empty or is given more than once */
function toSingleValue(name: string, text: string | string[]): string {
  if (typeof text !== 'string')
    throw new ParameterInvalid(`${name} is given ${text.length} times; give it once`)
  if (text === '')
    throw new ParameterInvalid(`${name} is empty; leave it out or give a JSON object`)
  return text
}
