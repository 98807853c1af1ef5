import { Type } from '@sinclair/typebox'
import type { Static } from '@sinclair/typebox'
import type { FastifyInstance } from 'fastify'

import { ListQuerystring } from '../http/list/querystring.js'
import { LIST_ERRORS } from '../http/openapi/responses.js'
import type { Json, JsonObject } from '../json/json.js'
import { formatJson } from '../query/explain/found-values.js'
import type { ListQuery } from '../query/list-query.js'
import { operation, parseQuery } from './control.js'
import type { ControlOptions } from './control.js'
import type { Fault } from './faults/fault.js'
import { findOldestFirst } from './journal/journal-operations.js'
import { describeGaps } from './journal/verify-requests.js'

/** The test runner for which a test is written. */
const Language = Type.Union(
  [Type.Literal('vitest'), Type.Literal('playwright'), Type.Literal('pytest')],
  { description: 'The test runner (default: vitest).', examples: ['pytest'] },
)
type Language = Static<typeof Language>

const TEXT_TYPE = 'text/plain; charset=utf-8'

const TestText = Type.String({ examples: ["import { expect, test } from 'vitest'"] })

const EXPORT = operation(
  'requests-test',
  'Write a test that expects the recorded requests',
  TestText,
  {
    description:
      'The text of a test that starts a mock, adds the current faults, and expects the requests that match `query`, the oldest first. Secrets are masked.',
    querystring: Type.Object({
      ...Type.Pick(ListQuerystring, ['query']).properties,
      language: Type.Optional(Language),
    }),
    errors: LIST_ERRORS,
    content: { [TEXT_TYPE]: { schema: TestText } },
  },
)

/** The fields by which a request is compared. */
const FIELDS = { _id: 0, method: 1, path: 1, query: 1, projection: 1, body: 1 }

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
      const isPython = language === 'pytest'
      const write = (value: object): string =>
        toLiteral(value as JsonObject, isPython ? PYTHON : JAVASCRIPT)
      const add = (fault: Fault): string =>
        `mock.faults.add(${isPython ? '**' : ''}${write(fault)})`
      const comments = ['run the code under test against mock.url here', ...describeGaps(journal)]
      const start = [
        ...faults.added.map(add),
        ...comments.map((comment) => `${isPython ? '#' : '//'} ${comment}`),
      ]
      const selection = `${write(query)}, ${write({ sort: { _id: 1 }, fields: FIELDS })}`
      const toLine = (item: JsonObject): string => `${write(item)},`
      const requests = await findOldestFirst(request, listQueries, toLine, FIELDS)
      const text = isPython
        ? `def test_the_requests_are_as_recorded(mock):${toLines(4, start)}
    requests = mock.requests(${selection})
    assert requests == [${toLines(8, requests)}
    ]
`
        : `import { expect, test } from '${language === 'playwright' ? '@playwright/test' : language}'
import { startMock } from 'materials-mock'

test('the requests are as recorded', async () => {
  const mock = await startMock()
  try {${toLines(4, start)}
    const requests = await mock.requests(${selection})
    expect(requests).toEqual([${toLines(6, requests)}
    ])
  } finally {
    await mock.close()
  }
})
`
      return reply.type(TEXT_TYPE).send(text)
    },
  )
}

const toLines = (spaces: number, lines: readonly string[]): string =>
  lines.map((line) => `\n${' '.repeat(spaces)}${line}`).join('')

/** The parts of JSON that a language writes in another way. */
type Literals = Readonly<Record<string, string>>

const PYTHON: Literals = { null: 'None', true: 'True', false: 'False' }

/** In a literal of JavaScript, `"__proto__"` would not be a key. */
const JAVASCRIPT: Literals = { '"__proto__":': '["__proto__"]:' }

/** Writes a value as a literal. The texts of JSON are literals of both languages. */
const toLiteral = (value: Json, literals: Literals): string =>
  formatJson(value, Infinity).replaceAll(
    /"[^"\\]*(?:\\.[^"\\]*)*"?:?|null|true|false/g,
    (part) => literals[part] ?? part,
  )
