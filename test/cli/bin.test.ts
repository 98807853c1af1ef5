import { execFile } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  readFileSync,
  readdirSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import * as nodeModule from 'node:module'
import { promisify } from 'node:util'

import t from 'tap'
import type { Test } from 'tap'

import { COMMAND } from '../command.js'

const run = promisify(execFile)

/** A module as the bundle is: with a `require`, and a function that is compiled late. */
const toModule = (text: string): string => `
const { basename } = require('node:path')
const describe = () => '${text} in ' + basename(__filename)
setImmediate(() => console.log(describe()))
`

/** Copies the bin beside a module, and returns a function that runs it. */
function setUp(t: Test) {
  const folder = t.testdir({ 'command.cjs': toModule('one') })
  copyFileSync(COMMAND, `${folder}/cli.cjs`)
  const start = async (...args: string[]): Promise<string> =>
    (await run(process.execPath, [`${folder}/cli.cjs`, ...args])).stdout.trim()
  return { folder, start, code: `${folder}/command.cjs.compiled` }
}

const skip = 'enableCompileCache' in nodeModule && 'Node keeps the compiled code itself'

t.test('a start keeps what it has compiled, and a later one uses it', { skip }, async (t) => {
  const { folder, start, code } = setUp(t)
  for (const args of [['--help'], ['-v'], ['check', 'x']]) {
    t.equal(await start(...args), 'one in command.cjs')
    t.notOk(existsSync(code), `${args.join(' ')} compiles little of a server`)
  }
  await start('--port', '0')
  const kept = readFileSync(code)
  t.equal(await start(), 'one in command.cjs')
  t.ok(readFileSync(code).equals(kept), 'it is not written again')
  t.same(readdirSync(folder).toSorted(), ['cli.cjs', 'command.cjs', 'command.cjs.compiled'])
})

t.test('code of another module, or none, is written anew', { skip }, async (t) => {
  const { folder, start, code } = setUp(t)
  await start()
  writeFileSync(`${folder}/command.cjs`, toModule('two')) // as long as before
  utimesSync(code, 0, 0)
  t.equal(await start(), 'two in command.cjs')
  writeFileSync(code, 'no code')
  t.equal(await start(), 'two in command.cjs')
  t.ok(readFileSync(code).length > 100)
})

t.test('a folder that nobody can write to is no error', { skip }, async (t) => {
  const { folder, start, code } = setUp(t)
  chmodSync(folder, 0o555)
  for (let time = 0; time < 2; time += 1) t.equal(await start(), 'one in command.cjs')
  chmodSync(folder, 0o755)
  if (process.getuid?.() !== 0) t.notOk(existsSync(code))
})

t.test('the command imports nothing at run time, which kept code can not', async (t) => {
  t.notMatch(readFileSync(COMMAND.replace('cli.cjs', 'command.cjs'), 'utf8'), /[^.\w]import\(/)
})
