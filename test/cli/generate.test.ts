import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import t from 'tap'

import { generateMaterials } from '@materials-mock/structures'
import { generate } from '../../src/cli/generate.js'
import { loadFixtures } from '../../src/fixtures/load-fixtures.js'
import { COMMAND } from '../helpers/command.js'

t.test('the fixtures of a server can be generated', async (t) => {
  for (const format of ['json', 'jsonl'] as const) {
    for (const count of [1, 100, 250]) {
      const directory = t.testdir({})
      await generate.run({ count, seed: 7, format, out: join(directory, `materials.${format}`) })
      const { resources } = await loadFixtures(directory)
      t.strictSame(
        resources.get('materials'),
        [...generateMaterials(count, { seed: 7 })],
        `${count} as ${format}`,
      )
    }
  }
})

t.test('each item is on one line', async (t) => {
  const directory = t.testdir({})
  for (const [format, lines] of [
    ['json', 13],
    ['jsonl', 11],
  ] as const) {
    const out = join(directory, format)
    await generate.run({ count: 10, seed: 1, format, out })
    t.equal(readFileSync(out, 'utf8').split('\n').length, lines)
  }
})

t.test('a file that can not be written is an error that names it', async (t) => {
  const out = join(t.testdir({}), 'nowhere', 'materials.json')
  await t.rejects(generate.run({ count: 1, seed: 1, format: 'json', out }), {
    code: 'OPTIONS_INVALID',
    message: /^give another place for the materials; they can't be written: .*nowhere/,
  })
})

t.test('a closed output ends the command without an error', async (t) => {
  const argv = [COMMAND, 'generate', '--count', '10000000']
  const child = spawn(process.execPath, argv, { stdio: ['ignore', 'pipe', 'pipe'] })
  t.teardown(() => child.kill('SIGKILL'))
  let errors = ''
  child.stderr.on('data', (chunk) => (errors += chunk))
  const [chunk] = await once(child.stdout, 'data')
  t.match(String(chunk), /^\[\n\{"_id":"/)
  child.stdout.destroy()
  t.same(await once(child, 'close'), [0, null])
  t.equal(errors, '')
})
