import { readFileSync } from 'node:fs'

import t from 'tap'

import type { JsonObject } from '../../src/json/json.js'
import { OPERATORS } from '../../src/query/expressions/operators.js'
import { UNSUPPORTED_OPERATORS } from '../../src/query/expressions/unsupported-operators.js'
import { compileFields } from '../../src/query/projection/compile-fields.js'

const PAGE = readFileSync(new URL('../../docs/query-language.md', import.meta.url), 'utf8')

/** Returns the part of the page below a heading, up to the next one of its level. */
function readSection(heading: string): string {
  const level = heading.split(' ')[0] ?? ''
  const [, section = ''] = PAGE.split(`\n${heading}\n`)
  return section.split(`\n${level} `)[0] ?? ''
}

t.test(
  'every operator of expressions has an example, with the result that the page shows',
  async (t) => {
    const section = readSection('## Expressions')
    const item = JSON.parse(/```json\n(.*?)```/s.exec(section)?.[1] ?? '') as JsonObject
    const rows = [...section.matchAll(/^\| `(\$\w+)` +\| `(.+?)` +\| `(.+?)` +\|$/gm)]
    for (const [, name = '', example = '', result = ''] of rows) {
      t.ok(example.includes(`"${name}"`), `${example} uses ${name}`)
      const { x } = compileFields({ x: JSON.parse(example), _id: 0 })(item)
      t.equal(JSON.stringify(x), JSON.stringify(JSON.parse(result)), example)
    }
    const names = rows.map(([, name = '']) => name)
    t.same([...names, '$const'].toSorted(), [...OPERATORS.keys()].toSorted())
  },
)

t.test('the page names every operator of expressions that is not supported', async (t) => {
  const names = [...readSection('### Not supported').matchAll(/`(\$[a-z]\w*)`/g)].map(
    ([, name]) => name,
  )
  t.same(names.toSorted(), [...UNSUPPORTED_OPERATORS].toSorted())
})
