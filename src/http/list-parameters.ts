import type { FastifyReply, FastifyRequest } from 'fastify'

import { ParameterInvalid } from '../errors.js'
import type { ListQueryCompiler } from '../query/list-query.js'
import { describeRightForm } from '../query/plain/describe-brackets.js'
import type { Work } from '../work/work.js'

const NAMES = ['query', 'projection'] as const

/**
 * Returns a preValidation hook that parses the JSON of `query` and `projection`, so that the
 * route's schema validates the parsed objects. It drops all other parameters.
 * @param others the names of parameters that are passed on unparsed
 */
export const parseListParameters =
  (compiler: ListQueryCompiler, others: readonly string[] = []) =>
  (request: FastifyRequest, reply: FastifyReply, done: () => void): Promise<void> | void => {
    const parameters = request.query as Parameters
    const parsed: Record<string, unknown> = {}
    request.query = parsed
    for (const name of others) if (name in parameters) parsed[name] = parameters[name]
    if (NAMES.every((name) => parameters[name] === undefined)) return done()
    const result = reply.runWork(parseAll(compiler, parameters, parsed))
    return result instanceof Promise ? result : done()
  }

type Parameters = Readonly<Record<string, string | string[] | undefined>>

/** @throws ParameterInvalid, and as parseParameter does */
function* parseAll(
  compiler: ListQueryCompiler,
  parameters: Parameters,
  parsed: Record<string, unknown>,
): Work<void> {
  for (const name of NAMES) {
    const text = parameters[name]
    if (text === undefined) continue
    parsed[name] = compiler.parse(name, toSingleValue(name, text))
    yield 'parsing the parameters'
  }
}

/** @throws ParameterInvalid for a parameter that is empty or is given more than once */
function toSingleValue(name: (typeof NAMES)[number], text: string | string[]): string {
  if (typeof text !== 'string') {
    const right = describeRightForm(name)
    throw new ParameterInvalid(`${name} is given ${text.length} times; give it once: ${right}`)
  }
  if (text === '')
    throw new ParameterInvalid(`${name} is empty; leave it out or give a JSON object`)
  return text
}
