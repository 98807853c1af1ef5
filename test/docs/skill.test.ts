import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

import { transform } from 'esbuild'
import t from 'tap'

import { TOOLS } from '../../src/controls/mcp/tools.js'
import { startMock } from '../../src/mock/start-mock.js'

const SKILL = readFileSync(fileURLToPath(new URL('../../SKILL.md', import.meta.url)), 'utf8')

t.test('the code of SKILL.md runs, from its first block to its last one', async (t) => {
  const blocks = [...SKILL.matchAll(/^```ts\n(.+?)^```/gms)].map(([, code = '']) => code)
  t.equal(blocks.length, 4)
  const source = blocks.join('').replace(/^import .*$/m, '')
  const { code } = await transform(`async () => { ${source}; return { status, mock } }`, {
    loader: 'ts',
  })
  const { status, mock } = await new Function(
    'startMock',
    `return (${code.replace(/;\s*$/, '')})()`,
  )(startMock)
  t.teardown(() => mock.close())
  t.equal(status, 503)
})

t.test('SKILL.md names all tools', async (t) => {
  for (const { name } of TOOLS) t.match(SKILL, `\`${name}\``)
})
