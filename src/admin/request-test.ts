import { Type } from '@sinclair/typebox'
import type { Static } from '@sinclair/typebox'
import type { FastifyInstance } from 'fastify'

import { LIST_ERRORS } from '../http/openapi/responses.js'
import { isJsonObject } from '../json/json.js'
import type { Json, JsonObject } from '../json/json.js'
import type { ListQuery } from '../query/list-query.js'
import { ListQuerystring } from '../query/list-querystring.js'
import { Budget } from '../work/budget.js'
import type { Work } from '../work/work.js'
import { operation, parseQuery, withSuccess } from './control.js'
import type { ControlOptions } from './control.js'
import { toFault } from './faults/fault.js'
import type { Fault } from './faults/fault.js'
import { describeGaps } from './journal/verify-requests.js'

/** The test runner for which a test is written. */
const Language = Type.Union(
  [Type.Literal('vitest'), Type.Literal('playwright'), Type.Literal('pytest')],
  { description: 'The test runner (default: vitest).', examples: ['pytest'] },
)
type Language = Static<typeof Language>

const TEXT_TYPE = 'text/plain; charset=utf-8'

const EXPORT = withSuccess(
  operation('requests-test', 'Write a test that expects the recorded requests', Type.String(), {
    description:
      'The text of a test that starts a mock, adds the current faults, and expects the requests that match `query`, the oldest first. Secrets are masked.',
    querystring: Type.Object({
      ...Type.Pick(ListQuerystring, ['query']).properties,
      language: Type.Optional(Language),
    }),
    errors: LIST_ERRORS,
  }),
  () => ({
    description: 'The text of the test',
    content: {
      [TEXT_TYPE]: { schema: Type.String({ examples: ["import { expect, test } from 'vitest'"] }) },
    },
  }),
)

/** `GET /requests.test`: the journal as a test. */
export async function requestTestRoute(
  app: FastifyInstance,
  { listQueries }: Pick<ControlOptions, 'listQueries'>,
): Promise<void> {
  app.get<{ Querystring: ListQuery & { readonly language?: Language } }>(
    '/requests.test',
    { schema: EXPORT, preValidation: parseQuery },
    async (request, reply) => {
      const { journal, faults } = request.sandbox
      const { query = {}, language = 'vitest' } = request.query
      request.budget = new Budget(Infinity) // as for the items of fixtures
      const requests = await request.runWork(
        listQueries.run(request.query, (compiled) =>
          journal.find({ ...compiled, query, limit: Infinity }, (item) => toLine(item, language)),
        ),
      )
      const write = language === 'pytest' ? writePythonTest : writeScriptTest
      const text = write(language, {
        query,
        faults: faults.list().map(toFault),
        requests: requests.toReversed(),
        gaps: describeGaps(journal),
      })
      return reply.type(TEXT_TYPE).send(text)
    },
  )
}

/** What a test does and expects. */
interface TestParts {
  /** Selects the requests. */
  readonly query: JsonObject
  readonly faults: readonly Fault[]
  /** The requests as literals of the language, the oldest first. */
  readonly requests: readonly string[]
  /** The requests that the journal no longer has. */
  readonly gaps: readonly string[]
}

/** The fields by which a request is compared. */
const FIELDS: JsonObject = { _id: 0, method: 1, path: 1, query: 1, projection: 1, body: 1 }

/** Returns the projection of the requests, the oldest first. */
const PROJECTION: JsonObject = { sort: { _id: 1 }, fields: FIELDS }

function* toLine(
  { method, path, query, projection, body }: JsonObject,
  language: Language,
): Work<string> {
  yield 'writing the response'
  return toLiteral({ method, path, query, projection, body } as JsonObject, language)
}

function writeScriptTest(language: Language, parts: TestParts): string {
  const runner = language === 'playwright' ? '@playwright/test' : 'vitest'
  const literal = (value: unknown): string => toLiteral(value as Json, language)
  return [
    `import { expect, test } from '${runner}'`,
    "import { startMock } from 'materials-mock'",
    '',
    "test('the requests are as recorded', async () => {",
    '  const mock = await startMock()',
    '  try {',
    ...parts.faults.map((fault) => `    mock.faults.add(${literal(fault)})`),
    '    // run the code under test against mock.url here',
    ...parts.gaps.map((gap) => `    // ${gap}`),
    `    const requests = await mock.requests(${literal(parts.query)}, ${literal(PROJECTION)})`,
    '    expect(requests).toEqual([',
    ...parts.requests.map((each) => `      ${each},`),
    '    ])',
    '  } finally {',
    '    await mock.close()',
    '  }',
    '})',
    '',
  ].join('\n')
}

/** The fixture `mock` of the plugin starts the mock. */
function writePythonTest(language: Language, parts: TestParts): string {
  const literal = (value: unknown): string => toLiteral(value as Json, language)
  return [
    'def test_the_requests_are_as_recorded(mock):',
    ...parts.faults.map((fault) => `    mock.faults.add(**${literal(fault)})`),
    '    # run the code under test against mock.url here',
    ...parts.gaps.map((gap) => `    # ${gap}`),
    `    requests = mock.requests(${literal(parts.query)}, ${literal(PROJECTION)})`,
    '    assert requests == [',
    ...parts.requests.map((each) => `        ${each},`),
    '    ]',
    '',
  ].join('\n')
}

/** The literals of Python that differ from JSON. */
const PYTHON: ReadonlyMap<Json, string> = new Map<Json, string>([
  [null, 'None'],
  [true, 'True'],
  [false, 'False'],
])

/** Writes a value as a literal. The texts of JSON are literals of both languages. */
function toLiteral(value: Json, language: Language): string {
  if (Array.isArray(value)) return `[${value.map((each) => toLiteral(each, language)).join(', ')}]`
  if (isJsonObject(value)) {
    const fields = Object.entries(value).map(
      ([key, each]) => `${toKey(key, language)}: ${toLiteral(each, language)}`,
    )
    return `{${fields.join(', ')}}`
  }
  return (language === 'pytest' ? PYTHON.get(value) : undefined) ?? JSON.stringify(value)
}

/** Writes a key. In a literal of JavaScript, `"__proto__"` would not be one. */
const toKey = (key: string, language: Language): string =>
  key === '__proto__' && language !== 'pytest' ? `["${key}"]` : JSON.stringify(key)
