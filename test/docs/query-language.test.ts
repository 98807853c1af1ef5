import { readFileSync } from 'node:fs'

import t from 'tap'

import type { JsonObject } from '@materials-mock/json'
import {
  EXPRESSION_OPERATORS,
  FIELD_OPERATORS,
  TOP_LEVEL_OPERATORS,
  UNSUPPORTED_EXPRESSION_OPERATORS,
  UNSUPPORTED_QUERY_OPERATORS,
  UPDATE_OPERATORS,
  compileFields,
  compileSelector,
  compileUpdate,
  retryTimeouts,
} from '@materials-mock/query'
import { runToEnd } from '@materials-mock/work'

const readPage = (name: string): string =>
  readFileSync(new URL(`../../docs/${name}.md`, import.meta.url), 'utf8')

const PAGE = readPage('query-language')
const EXPRESSIONS = readPage('expressions')

/** Returns the part of a page below a heading, up to the next one of its level. */
function readSection(heading: string, page = PAGE): string {
  const { length: level } = heading.split(' ')[0] ?? ''
  const [, section = ''] = page.split(`\n${heading}\n`)
  return section.split(new RegExp(`\n#{1,${level}} `))[0] ?? ''
}

t.test(
  'every operator of expressions has an example, with the result that the page shows',
  async (t) => {
    const item = JSON.parse(/```json\n(.*?)```/s.exec(EXPRESSIONS)?.[1] ?? '') as JsonObject
    const rows = [...EXPRESSIONS.matchAll(/^\| `(\$\w+)` +\| `(.+?)` +\| `(.+?)` +\|$/gm)]
    for (const [, name = '', example = '', result = ''] of rows) {
      t.ok(example.includes(`"${name}"`), `${example} uses ${name}`)
      const { x } = compileFields({ x: JSON.parse(example), _id: 0 })(item)
      t.equal(JSON.stringify(x), JSON.stringify(JSON.parse(result)), example)
    }
    const names = rows.map(([, name = '']) => name)
    t.same([...names, '$const'].toSorted(), [...EXPRESSION_OPERATORS.keys()].toSorted())
  },
)

t.test('the page names every operator of expressions that is not supported', async (t) => {
  const names = [...readSection('## Not supported', EXPRESSIONS).matchAll(/`(\$[a-z]\w*)`/g)].map(
    ([, name]) => name,
  )
  t.same(names.toSorted(), [...UNSUPPORTED_EXPRESSION_OPERATORS].toSorted())
})

/** Returns the rows of a section's table: the code of each of the last columns. */
const readRows = (section: string, columns: number): string[][] =>
  section
    .split('\n')
    .filter((line) => line.startsWith('| ') && line.includes('`{'))
    .map((line) => line.split(' | ').map((cell) => cell.replace(/^\|? *`?|`? *\|?$/g, '')))
    .filter(({ length }) => length === columns)

const readItem = (section: string): JsonObject =>
  JSON.parse(/```json\n(.*?)```/s.exec(section)?.[1] ?? '')

t.test('every query operator has an example that matches, and one that does not', async (t) => {
  const section = readSection('## Query operators')
  const item = readItem(section)
  const rows = readRows(section, 3)
  for (const [name = '', matching = '', other = ''] of rows) {
    t.ok(
      (matching.includes(`"${name}"`) && other.includes(`"${name}"`)) || name === '$options',
      name,
    )
    t.equal(compileSelector(JSON.parse(matching)).matches(item), true, matching)
    t.equal(compileSelector(JSON.parse(other)).matches(item), false, other)
  }
  const supported = { ...TOP_LEVEL_OPERATORS, ...FIELD_OPERATORS }
  t.same(rows.map(([name]) => name).toSorted(), Object.keys(supported).toSorted())
})

t.test('the page names every query operator that is refused', async (t) => {
  const section = readSection('### Query operators that are refused')
  const names = [...section.matchAll(/`(\$\w+)`/g)].map(([, name]) => name)
  t.same(names.toSorted(), Object.values(UNSUPPORTED_QUERY_OPERATORS).flat().toSorted())
})

t.test('every form of a projection has the result that the page shows', async (t) => {
  const item = readItem(readSection('## Query operators'))
  const rows = readRows(readSection('## Projection'), 4)
  for (const [, query = '', fields = '', result = ''] of rows) {
    const selector = compileSelector(JSON.parse(query))
    t.equal(selector.matches(item), true, query)
    const projected = compileFields(JSON.parse(fields), selector)(item)
    t.equal(JSON.stringify(projected), JSON.stringify(JSON.parse(result)), fields)
  }
  t.ok(rows.length > 8)
})

t.test('every update operator has the result that the page shows', async (t) => {
  const section = readSection('## Update operators')
  const item = readItem(section)
  const rows = readRows(section, 3)
  for (const [, body = '', result = ''] of rows) {
    const update = compileUpdate(JSON.parse(body))
    const updated = runToEnd(retryTimeouts(() => update(item, 0)))
    t.equal(JSON.stringify(updated), JSON.stringify(JSON.parse(result)), body)
  }
  const names = [...rows.map(([name]) => name), '$currentDate']
  const supported = [...Object.keys(UPDATE_OPERATORS), '$[]', '$[identifier]']
  t.same(names.toSorted(), supported.toSorted())
})
