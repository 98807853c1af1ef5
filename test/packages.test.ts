import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

import { build } from 'esbuild'
import t from 'tap'

import { sourceUrls } from '../scripts/test/bundle-tests.js'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

/** A README is read at a glance. */
const MAX_LINES = 60

/** Where the examples are bundled: they find the packages of npm from there. */
const FOLDER = `${ROOT}dist/examples-${process.pid}/`

t.before(() => mkdirSync(FOLDER, { recursive: true }))
t.teardown(() => rmSync(FOLDER, { recursive: true, force: true }))

for (const name of readdirSync(`${ROOT}packages`)) {
  t.test(`the example of packages/${name} prints what its README says`, async (t) => {
    const readme = readFileSync(`${ROOT}packages/${name}/README.md`, 'utf8')
    t.ok(readme.split('\n').length <= MAX_LINES, 'it fits a screen')
    const [, example = '', printed = ''] =
      /\n```ts\n(.*?\n)```\n.*?\n```text\n(.*?)```\n/s.exec(readme) ?? []
    t.match(example, `from '@materials-mock/${name}'`)
    const file = `${FOLDER}${name}.mjs`
    const { outputFiles } = await build({
      stdin: { contents: example, resolveDir: ROOT, loader: 'ts' },
      absWorkingDir: ROOT,
      bundle: true,
      write: false,
      platform: 'node',
      format: 'esm',
      packages: 'external',
      plugins: [sourceUrls],
    })
    writeFileSync(file, outputFiles[0]?.contents ?? '')
    const { stdout } = await promisify(execFile)(process.execPath, [file])
    t.equal(stdout, printed)
  })
}
