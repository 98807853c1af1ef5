import { execFile } from 'node:child_process'
import { chmodSync, copyFileSync, existsSync, readFileSync, readdirSync } from 'node:fs'
import * as nodeModule from 'node:module'
import { promisify } from 'node:util'

import t from 'tap'
import type { Test } from 'tap'

import { COMMAND } from '../helpers/command.js'

const run = promisify(execFile)

/** Copies the bin beside a module, and returns the folder and a function that runs it. */
function setUp(t: Test) {
  const folder = t.testdir({ 'command.cjs': `console.log(process.argv.length)` })
  copyFileSync(COMMAND, `${folder}/cli.cjs`)
  const start = async (): Promise<string> =>
    (await run(process.execPath, [`${folder}/cli.cjs`, '--port'])).stdout.trim()
  return { folder, start }
}

const KEEPS = 'enableCompileCache' in nodeModule

t.test(
  'compiled code is kept in the folder of the package alone, if Node can keep it',
  async (t) => {
    const { folder, start } = setUp(t)
    for (let time = 0; time < 2; time += 1) t.equal(await start(), '3')
    const kept = KEEPS ? ['compiled'] : []
    t.same(readdirSync(folder).toSorted(), ['cli.cjs', 'command.cjs', ...kept].toSorted())
  },
)

t.test('where the folder can not be written, nothing is kept', async (t) => {
  const { folder, start } = setUp(t)
  chmodSync(folder, 0o555)
  for (let time = 0; time < 2; time += 1) t.equal(await start(), '3')
  chmodSync(folder, 0o755)
  if (process.getuid?.() !== 0) t.notOk(existsSync(`${folder}/compiled`))
})

t.test('the bin names a folder to keep code in', (t) => {
  // Without one, Node keeps it where every user can write.
  t.match(readFileSync(COMMAND, 'utf8'), /enableCompileCache\?\.\(.*"compiled"/)
  t.end()
})
