import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

import t from 'tap'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

t.test('a run names the file of a failure and of a warning, and has totals', async (t) => {
  const folder = t.testdir({
    'good.test.ts': `
      import t from 'tap'
      t.ok(import.meta.url.endsWith('/good.test.ts'))
      t.test('nested', async (t) => t.equal(1, 1))
    `,
    'failing.test.ts': `
      import t from 'tap'
      t.test('outer', async (t) => {
        t.equal(1, 2, 'one is two')
        t.pass()
      })
    `,
    'warning.test.ts': `
      import { EventEmitter } from 'node:events'
      import t from 'tap'
      const emitter = new EventEmitter()
      for (let count = 0; count < 11; count += 1) emitter.on('x', () => undefined)
      t.pass()
    `,
    'throwing.test.ts': `throw new Error('not loaded')`,
    'late.test.ts': `
      import t from 'tap'
      t.test('outer', async (t) => {
        setImmediate(() => { throw new Error('too late') })
        await new Promise((resolve) => setTimeout(resolve, 100))
      })
    `,
    'rejecting.test.ts': `
      import t from 'tap'
      t.test('outer', async (t) => {
        t.ok(Promise.reject(new Error('not awaited')))
        await new Promise((resolve) => setTimeout(resolve, 100))
      })
    `,
  })
  const { status, stdout } = run(folder)
  t.equal(status, 1, stdout)
  t.match(stdout, /^file 6 of 6 +\d+\.\d s {2}\S+\.test\.ts$/m)
  t.match(stdout, /^6 of 6 files in \d+\.\d s$/m, 'each file runs once, and none is skipped')
  t.match(stdout, /^not ok {2}\S+\/failing\.test\.ts > outer > one is two$/m)
  t.match(stdout, /^not ok {2}\S+\/throwing\.test\.ts > not loaded$/m)
  t.match(stdout, /^not ok {2}\S+\/warning\.test\.ts causes a warning of the process: Possible /m)
  t.match(stdout, /^not ok {2}\S+\/late\.test\.ts(?: > outer)? > too late$/m)
  t.match(stdout, /^not ok {2}\S+\/rejecting\.test\.ts(?: > outer)? > not awaited$/m)
  t.match(stdout, /\n6 passed, 5 failed\n$/)
})

t.test('a process that ends in the middle of a test fails the run', async (t) => {
  const folder = t.testdir({
    'good.test.ts': `import t from 'tap'\nt.pass()`,
    'killed.test.ts': `
      import t from 'tap'
      t.test('outer', async () => process.kill(process.pid, 'SIGKILL'))
    `,
  })
  const { status, stdout } = run(folder)
  t.equal(status, 1, stdout)
  t.match(stdout, /^not ok {2}.*the process ended with SIGKILL$/m)
  // Nobody knows whether the result of the good one came through.
  t.match(stdout, /^[01] passed, [1-9] failed$/m)
})

/** Runs the test files of a folder. */
function run(folder: string): { status: number | null; stdout: string } {
  const tsx = `${ROOT}node_modules/tsx/dist/cli.mjs`
  const argv = [tsx, `${ROOT}scripts/test/run-tests.ts`, folder]
  return spawnSync(process.execPath, argv, {
    encoding: 'utf8',
    env: { PATH: process.env.PATH },
  })
}
