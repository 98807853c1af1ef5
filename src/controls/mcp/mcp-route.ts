import { Type } from '@sinclair/typebox'
import type { Static } from '@sinclair/typebox'
import type { FastifyInstance, FastifyReply } from 'fastify'

import { StringEnum, Text, compileValidator, quote, toObject } from '@materials-mock/json'
import type { Json, JsonObject } from '@materials-mock/json'
import { BodyInvalid, CatalogueError } from '../../errors.js'
import { JSON_TYPE, toCatalogueError } from '../../http/envelope.js'
import type { OperationSchema } from '../../http/openapi/responses.js'
import { getStatusCode } from '../../http/status-codes.js'
import { operation } from '../control.js'
import type { ControlOptions } from '../control.js'
import { TOOLS } from './tools.js'
import type { ToolContext } from './tools.js'

/** The versions of the protocol, the newest first. They do not differ in what this server does. */
const VERSIONS = ['2025-11-25', '2025-06-18', '2025-03-26'] as const

const TOOL_NAMES = TOOLS.map(({ name }) => name)

/** The codes of errors (https://www.jsonrpc.org/specification#error_object). */
const CODES = {
  PARSE_ERROR: -32700,
  INVALID_REQUEST: -32600,
  METHOD_NOT_FOUND: -32601,
  INVALID_PARAMS: -32602,
} as const

/** A message of a client: a request, or without an id a notification. */
const Message = Type.Object(
  {
    jsonrpc: Type.Literal('2.0'),
    id: Type.Optional(Type.Union([Type.String(), Type.Integer()])),
    method: Text('tools/list'),
    params: Type.Optional(Type.Unsafe<JsonObject>(Type.Object({}, { additionalProperties: true }))),
  },
  {
    $id: 'McpMessage',
    additionalProperties: true,
    examples: [{ jsonrpc: '2.0', id: 1, method: 'tools/list' }],
  },
)
type Message = Static<typeof Message>

const Answer = Type.Object(
  {
    jsonrpc: Type.Literal('2.0'),
    id: Type.Union([Type.String(), Type.Integer(), Type.Null()], { examples: [1] }),
    result: Type.Optional(Type.Object({}, { additionalProperties: true, examples: [{}] })),
    error: Type.Optional(Type.Object({ code: Type.Integer(), message: Type.String() })),
  },
  { $id: 'McpAnswer', examples: [{ jsonrpc: '2.0', id: 1, result: {} }] },
)

/** Describes a control that answers with JSON-RPC in place of the envelope. */
const withAnswers = (schema: OperationSchema): OperationSchema => ({
  ...schema,
  responses: () => {
    const content = { 'application/json': { schema: Answer } }
    const all = Object.entries(schema.responses())
    return {
      ...Object.fromEntries(all.map(([status, response]) => [status, { ...response, content }])),
      202: { description: 'A notification is accepted.', content: {} },
    }
  },
})

const MCP = withAnswers({
  ...operation('mcp', 'Call a tool of the Model Context Protocol', Answer, {
    description: `One message of the protocol (streamable HTTP, without sessions). The tools are ${TOOL_NAMES.join(', ')}.`,
    body: Message,
  }),
  headers: Type.Object({ 'mcp-protocol-version': Type.Optional(StringEnum(VERSIONS)) }),
})

const validateCall = compileValidator(
  Type.Object({
    name: StringEnum(TOOL_NAMES),
    arguments: Type.Optional(Type.Object({}, { additionalProperties: true })),
  }),
  'body',
)

type Outcome = Pick<Static<typeof Answer>, 'result' | 'error'>

const fail = (code: number, message: string): Outcome => ({ error: { code, message } })

/**
 * `POST /mcp`: the Model Context Protocol over streamable HTTP (https://modelcontextprotocol.io), without
 * sessions and streams: each request is answered with one JSON text.
 */
export async function mcpRoute(
  app: FastifyInstance,
  { version, listQueries }: Pick<ControlOptions, 'version' | 'listQueries'>,
): Promise<void> {
  app.post<{ Body: Message }>(
    '/mcp',
    {
      schema: MCP,
      config: { replacesState: true }, // a tool does; the others wait for the jobs themselves
      errorHandler: (error, request, reply) => {
        const known = toCatalogueError(error, request)
        // What can't be parsed is there as its text, or not at all.
        const isText = typeof request.body === 'string' || request.body === undefined
        const isUnparsed = isText && known instanceof BodyInvalid
        const code = isUnparsed ? CODES.PARSE_ERROR : CODES.INVALID_REQUEST
        return sendAnswer(reply.code(getStatusCode(known)), null, fail(code, known.message))
      },
    },
    async (request, reply) => {
      const { id, method, params = {} } = request.body
      if (id === undefined) return reply.code(202).send()
      const context: ToolContext = { request, listQueries }
      return sendAnswer(reply, id, await answer(method, params, context, version))
    },
  )
}

function sendAnswer(reply: FastifyReply, id: string | number | null, outcome: Outcome) {
  return reply.type(JSON_TYPE).send(JSON.stringify({ jsonrpc: '2.0', id, ...outcome }))
}

async function answer(
  method: string,
  params: JsonObject,
  context: ToolContext,
  version: string,
): Promise<Outcome> {
  switch (method) {
    case 'initialize': {
      const protocolVersion =
        VERSIONS.find((each) => each === params.protocolVersion) ?? VERSIONS[0]
      const serverInfo = { name: 'materials-mock', version }
      return { result: { protocolVersion, capabilities: { tools: {} }, serverInfo } }
    }
    case 'ping':
      return { result: {} }
    case 'tools/list':
      return { result: { tools: TOOL_LIST } }
    case 'tools/call':
      return callTool(params, context)
    default:
      return fail(CODES.METHOD_NOT_FOUND, `there is no method ${quote(method)}`)
  }
}

const TOOL_LIST: JsonObject[] = TOOLS.map(({ name, description, inputSchema }) => ({
  name,
  description,
  inputSchema: JSON.parse(JSON.stringify(inputSchema, omitNote)),
}))

/** Leaves out the descriptions and examples of a schema, which a model would read in each conversation. */
function omitNote(key: string, value: unknown): unknown {
  const isNote = key === 'examples' || (key === 'description' && typeof value === 'string')
  return isNote ? undefined : value
}

/** Calls a tool. An error of the catalogue is a result, which the model reads. */
async function callTool(params: JsonObject, context: ToolContext): Promise<Outcome> {
  const invalid = validateCall(params)
  if (invalid !== undefined) return fail(CODES.INVALID_PARAMS, invalid.message)
  const { name, arguments: input } = params
  const tool = TOOLS.find((each) => each.name === name)!
  try {
    if (name !== 'reset') await context.request.store.catchUp()
    return { result: toResult(JSON.stringify(await tool.call(toObject(input), context))) }
  } catch (error) {
    if (!(error instanceof CatalogueError)) throw error
    return { result: { ...toResult(`${error.code}: ${error.message}`), isError: true } }
  }
}

const toResult = (text: string): { content: Json } => ({ content: [{ type: 'text', text }] })
