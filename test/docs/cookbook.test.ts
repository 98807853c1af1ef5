import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { promisify } from 'node:util'

import { transform } from 'esbuild'
import t from 'tap'

import { bundleSite } from '../../scripts/bundle-browser.js'
import { isOutdated } from '../../scripts/is-outdated.mjs'
import { createClient } from '../../src/client.js'
import { startMock } from '../../src/mock/start-mock.js'
import { COMMAND } from '../helpers/command.js'
import { findBlock } from './blocks.js'
import { readPieces } from './cookbook-pieces.js'

const run = promisify(execFile)
const AsyncFunction = Object.getPrototypeOf(async () => undefined).constructor

/** A piece is read at a glance. */
const MAX_LINES = 30

t.test('each piece of TypeScript runs', async (t) => {
  const [first, ...pieces] = readPieces('ts')
  const imports = /^import .*\n/gm
  t.ok(pieces.length > 12)
  for (const { title, code } of pieces) {
    t.ok(code.split('\n').length <= MAX_LINES, title)
    const source = `async () => { ${first?.code.replace(imports, '')}\n${code}\nawait mock.close() }`
    const { code: script } = await transform(source, { loader: 'ts' })
    const piece = new AsyncFunction(
      'assert',
      'startMock',
      'createClient',
      `return (${script.replace(/;\s*$/, '')})()`,
    )
    // What a piece creates is whole, so that a strict server takes it, too.
    for (const strict of code.includes('.create(') ? [false, true] : [false]) {
      const start = async () => {
        const mock = await startMock({ logLevel: 'silent', strict })
        t.teardown(() => mock.close())
        return mock
      }
      await t.resolves(piece(assert, start, createClient), `${title}, strict: ${strict}`)
    }
  }
})

// The commands with curl run with those of all pages, in docs.test.ts.
t.test('each command runs', async (t) => {
  if (isOutdated('dist/browser/worker.js')) await bundleSite()
  const mock = await startMock({ logLevel: 'silent' })
  t.teardown(() => mock.close())
  const cwd = t.testdir()
  const pieces = readPieces('sh').filter(({ code }) => !code.includes('curl'))
  t.equal(pieces.length, 2)
  for (const { title, code } of pieces) {
    const script = code
      .replaceAll('npx materials-mock', `${process.execPath} ${COMMAND}`)
      .replaceAll('http://127.0.0.1:4000', mock.url)
    await t.resolves(run('bash', ['-euc', script], { cwd }), title)
  }
  for (const file of ['recorded', 'public/index.html']) t.ok(existsSync(`${cwd}/${file}`), file)
  const { code: site } = findBlock('docs/without-a-server.md', 'npx materials-mock site')
  t.equal(site, pieces.at(-1)?.code, 'the page on sites has the same command')
})
