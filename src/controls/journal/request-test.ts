import type { IncomingHttpHeaders } from 'node:http'

import { Type } from '@sinclair/typebox'
import type { Static } from '@sinclair/typebox'
import type { FastifyInstance } from 'fastify'

import { ListQuerystring } from '@materials-mock/api'
import { Text, writeInParts } from '@materials-mock/json'
import type { Json, JsonObject } from '@materials-mock/json'
import { formatJson } from '@materials-mock/query'
import type { ListQuery } from '@materials-mock/query'
import { LIST_ERRORS } from '../../http/openapi/responses.js'
import { toBaseUrl } from '../../http/base-url.js'
import { sendTexts } from '../../http/send-texts.js'
import type { Store } from '../../store/store.js'
import { operation, parseQuery } from '../control.js'
import type { ControlOptions } from '../control.js'
import { findOldestFirst } from './journal-operations.js'
import { describeGaps } from './verify-requests.js'

const Language = Type.Union(
  [Type.Literal('vitest'), Type.Literal('playwright'), Type.Literal('pytest')],
  { description: 'The test runner (default: vitest).', examples: ['pytest'] },
)
type Language = Static<typeof Language>

const TEXT_TYPE = 'text/plain; charset=utf-8'

const TestText = Text("import { expect, test } from 'vitest'")

const EXPORT = operation(
  'requests-test',
  'Write a test that expects the recorded requests',
  TestText,
  {
    description:
      'The text of a test that takes a mock, adds the current faults, and expects the requests that match `query`, the oldest first, without those of the page of the mock and without preflights. Secrets are masked.',
    querystring: Type.Object({
      ...Type.Pick(ListQuerystring, ['query']).properties,
      language: Type.Optional(Language),
    }),
    errors: LIST_ERRORS,
    content: { [TEXT_TYPE]: { schema: TestText } },
  },
)

const FIELDS = { _id: 0, method: 1, path: 1, query: 1, projection: 1, body: 1 }

const PAGE_FIELDS = {
  'headers.origin': 1,
  'headers.referer': 1,
  'headers.sec-fetch-site': 1,
  'headers.x-mock-page': 1,
}

/** Requests of parts of a page that load at once come in any order, so each resource has an order of its own. */
const ORDER = { resource: 1, _id: 1 }

/** A page of another origin sends preflights, and one behind a proxy sends none. */
const NO_PREFLIGHTS = { method: { $ne: 'OPTIONS' } }

export async function requestTestRoute(
  app: FastifyInstance,
  { listQueries }: Pick<ControlOptions, 'listQueries'>,
): Promise<void> {
  app.get<{ Querystring: ListQuery & { readonly language?: Language } }>(
    '/requests.test',
    { schema: EXPORT, preValidation: parseQuery },
    async (request, reply) => {
      const { query, language = 'vitest' } = request.query
      const { sandbox, store, server, headers: ownHeaders, socket } = request
      const writeFault = createPartsWriter(language)
      const write = createWriter(language)
      const writeExpected = createWriter(language, store)
      let frontEnd = 'http://localhost:3000/'
      const toLine = ({ headers, ...item }: JsonObject): string => {
        const sent = headers as IncomingHttpHeaders
        if (item['method'] === 'OPTIONS' || sent['x-mock-page'] !== undefined) return ''
        frontEnd = findFrontEnd(sent) ?? frontEnd
        return `${writeExpected(item)},`
      }
      const lines = await findOldestFirst(request, listQueries, toLine, {
        sort: { resource: -1, _id: -1 },
        fields: { ...FIELDS, ...PAGE_FIELDS },
      })
      const selection = query === undefined ? NO_PREFLIGHTS : { $and: [query, NO_PREFLIGHTS] }
      const texts = TEMPLATES[language]({
        faults: sandbox.faults.added.map((fault) => writeFault(fault as JsonObject)),
        gaps: describeGaps(sandbox.journal),
        found: `mock.requests(${write(selection)}, ${write({ sort: ORDER, fields: FIELDS })})`,
        expected: lines.filter((line) => line !== ''),
        server: toBaseUrl({ server, headers: ownHeaders, socket, sandboxPath: '' }),
        frontEnd,
      })
      return sendTexts(reply.type(TEXT_TYPE), texts)
    },
  )
}

/**
 * Returns the URL of the front end that has sent a request: a page of another origin, or one behind a proxy. The
 * Referer of a link is that of any website.
 */
function findFrontEnd({
  origin,
  referer,
  'sec-fetch-site': site,
}: IncomingHttpHeaders): string | undefined {
  if (referer === undefined || !URL.canParse(referer)) return undefined
  const page = new URL(referer)
  const isSender = site === 'same-origin' || page.origin === origin
  return isSender && /^https?:$/.test(page.protocol) ? referer : undefined
}

interface Parts {
  readonly faults: readonly Iterable<string>[]
  readonly gaps: readonly string[]
  readonly found: string
  readonly expected: readonly string[]
  readonly server: string
  readonly frontEnd: string
}

const TEMPLATES: Readonly<Record<Language, (parts: Parts) => Iterable<string>>> = {
  vitest: ({ faults, gaps, found, expected }) => inParts`import { expect, test } from 'vitest'
import { startMock } from 'materials-mock'

test('the requests are as recorded', async () => {
  const mock = await startMock()
  try {${toLines(4, [
    ...faults.map((fault) => inParts`mock.faults.add(${fault})`),
    '// run the code under test against mock.url here',
    ...gaps.map((gap) => `// ${gap}`),
  ])}
    const requests = await ${found}
    expect(requests).toEqual([${toLines(6, expected)}
    ])
  } finally {
    await mock.close()
  }
})
`,
  playwright: ({ faults, gaps, found, expected, server, frontEnd }) =>
    inParts`import { expect, test } from '@playwright/test'
import { connectMock } from 'materials-mock/connect'

test('the requests are as recorded', async ({ page }, { testId }) => {
  const server = await connectMock(${JSON.stringify(server)})
  const mock = await server.sandbox(testId)
  try {${toLines(4, [
    ...faults.map((fault) => inParts`await mock.faults.add(${fault})`),
    `await page.setExtraHTTPHeaders({ 'X-Mock-Sandbox': testId })`,
    `await page.goto(${JSON.stringify(frontEnd)}) // the address of the front end; then do in it what was recorded`,
    ...gaps.map((gap) => `// ${gap}`),
  ])}
    await expect.poll(() => ${found}).toEqual([${toLines(6, expected)}
    ])
  } finally {
    await mock.close()
  }
})
`,
  pytest: ({ faults, gaps, found, expected }) => inParts`${
    expected.some((line) => line.includes('Matching(')) ? MATCHING : ''
  }def test_the_requests_are_as_recorded(mock):${toLines(4, [
    ...faults.map((fault) => inParts`mock.faults.add(**${fault})`),
    '# run the code under test against mock.url here',
    ...gaps.map((gap) => `# ${gap}`),
  ])}
    requests = ${found}
    assert requests == [${toLines(8, expected)}
    ]
`,
}

const MATCHING = `import re


class Matching(str):
    def __eq__(self, other):
        return isinstance(other, str) and re.fullmatch(str(self), other) is not None


`

/** A tag of a template whose text may be longer than a string can be. */
function* inParts(
  texts: TemplateStringsArray,
  ...values: readonly (string | Iterable<string>)[]
): Iterable<string> {
  for (const [index, text] of texts.entries()) {
    yield text
    const value = values[index] ?? ''
    if (typeof value === 'string') yield value
    else yield* value
  }
}

function* toLines(spaces: number, lines: readonly (string | Iterable<string>)[]): Iterable<string> {
  for (const line of lines) yield* inParts`\n${' '.repeat(spaces)}${line}`
}

type Literals = Readonly<Record<string, string>>

const PYTHON: Literals = { null: 'None', true: 'True', false: 'False' }

/** In a literal of JavaScript, `"__proto__"` would not be a key. */
const JAVASCRIPT: Literals = { '"__proto__":': '["__proto__"]:' }

/** An `_id` as the server makes it. */
const IDENTIFIER = /\b[2-9A-HJ-NP-Za-km-z]{17}\b/g

/** @param store allows any `_id` in place of one that its fixtures lack: the run has made it */
function createWriter(language: Language, store?: Store): (value: Json) => string {
  const isPython = language === 'pytest'
  const literals = isPython ? PYTHON : JAVASCRIPT
  const isMade = (id: string): boolean =>
    store !== undefined &&
    !store.accounts.some(({ _id }) => _id === id) &&
    ![...store.initial.values()].some(({ byId }) => byId.get(id) !== undefined)
  const writePart = (part: string): string => {
    if (!part.startsWith('"') || part.endsWith(':') || !part.match(IDENTIFIER)?.some(isMade))
      return literals[part] ?? part
    const escaped = String(JSON.parse(part)).replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')
    const pattern = escaped.replaceAll(IDENTIFIER, (id) => (isMade(id) ? '\\w{17}' : id))
    return isPython
      ? `Matching(${JSON.stringify(pattern)})`
      : `expect.stringMatching(${JSON.stringify(`^${pattern}$`)})`
  }
  const names = Object.keys(literals)
  return (value) => {
    const text = formatJson(value, Infinity)
    const hasLiteral = names.some((name) => text.includes(name))
    // Most parts of a large value have nothing to replace, and a replacement looks at each of their strings.
    if (!hasLiteral && (store === undefined || text.search(IDENTIFIER) === -1)) return text
    return text.replaceAll(/"[^"\\]*(?:\\.[^"\\]*)*"?:?|null|true|false/g, writePart)
  }
}

function createPartsWriter(language: Language): (value: Json) => Iterable<string> {
  const write = createWriter(language)
  const writeName = (name: string): string => `${write({ [name]: 0 }).slice(1, -': 0}'.length)}: `
  return (value) => writeInParts(value, { write, writeName, comma: ', ' })
}
