import { Type } from '@sinclair/typebox'
import type { Static } from '@sinclair/typebox'
import type { FastifyInstance } from 'fastify'

import { LIST_ERRORS } from '../http/openapi/responses.js'
import { isJsonObject } from '../json/json.js'
import type { Json, JsonObject } from '../json/json.js'
import type { ListQuery } from '../query/list-query.js'
import { ListQuerystring } from '../query/list-querystring.js'
import { operation, parseQuery, withSuccess } from './control.js'
import type { ControlOptions } from './control.js'
import { toFault } from './faults/fault.js'
import { findOldestFirst } from './journal/journal-routes.js'
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

/** The fields by which a request is compared. */
const FIELDS: JsonObject = { _id: 0, method: 1, path: 1, query: 1, projection: 1, body: 1 }

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
      const write = (value: unknown): string => toLiteral(value as Json, language)
      const toLine = ({ method, path, query: sent, projection, body }: JsonObject): string =>
        `${write({ method, path, query: sent, projection, body })},`
      const text = writeTest(language, {
        faults: faults.list().map((rule) => write(toFault(rule))),
        comments: ['run the code under test against mock.url here', ...describeGaps(journal)],
        selection: `${write(query)}, ${write({ sort: { _id: 1 }, fields: FIELDS })}`,
        requests: await findOldestFirst(request, listQueries, toLine),
      })
      return reply.type(TEXT_TYPE).send(text)
    },
  )
}

/** The parts of a test in its language. */
interface TestParts {
  readonly faults: readonly string[]
  readonly comments: readonly string[]
  /** The query and the projection of the requests. */
  readonly selection: string
  readonly requests: readonly string[]
}

function writeTest(
  language: Language,
  { faults, comments, selection, requests }: TestParts,
): string {
  const isPython = language === 'pytest'
  const start = toLines(4, [
    ...faults.map((fault) => `mock.faults.add(${isPython ? '**' : ''}${fault})`),
    ...comments.map((comment) => `${isPython ? '#' : '//'} ${comment}`),
  ])
  if (isPython) {
    return `def test_the_requests_are_as_recorded(mock):${start}
    requests = mock.requests(${selection})
    assert requests == [${toLines(8, requests)}
    ]
`
  }
  return `import { expect, test } from '${language === 'playwright' ? '@playwright/test' : 'vitest'}'
import { startMock } from 'materials-mock'

test('the requests are as recorded', async () => {
  const mock = await startMock()
  try {${start}
    const requests = await mock.requests(${selection})
    expect(requests).toEqual([${toLines(6, requests)}
    ])
  } finally {
    await mock.close()
  }
})
`
}

const toLines = (spaces: number, lines: readonly string[]): string =>
  lines.map((line) => `\n${' '.repeat(spaces)}${line}`).join('')

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
