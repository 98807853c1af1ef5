import { readFileSync, readdirSync } from 'node:fs'

import t from 'tap'
import type { Test } from 'tap'

import { init } from '../../src/cli/init.js'

/** Runs the command in a folder, and returns what it has printed. */
async function run(t: Test, folder: string, flags: Record<string, boolean> = {}): Promise<string> {
  const options = init.parse({ DIR: folder, ...flags }, {}, undefined)
  const capture = t.capture(console, 'log')
  try {
    t.equal(await init.run(options as Parameters<typeof init.run>[0]), true)
    return capture()
      .map(({ args }) => String(args[0]))
      .join('\n')
  } finally {
    capture.restore()
  }
}

const list = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.includes('.'))
    .toSorted()

const toPackage = (...names: string[]): string =>
  JSON.stringify({
    scripts: { dev: 'vite' },
    devDependencies: Object.fromEntries(names.map((name) => [name, '1'])),
  })

t.test('each tool gets its file, and a second run changes nothing', async (t) => {
  const cases: [files: Record<string, string>, written: string[], shown: RegExp][] = [
    [{ 'package.json': toPackage('vite') }, ['mock-dev.mjs'], /^found Vite\n[^]*VITE_PLATFORM_URL/],
    [{ 'package.json': toPackage('next') }, ['mock-dev.mjs'], /NEXT_PUBLIC_PLATFORM_URL/],
    [
      { 'package.json': toPackage('vitest', 'typescript') },
      ['tests/materials-mock.test.ts'],
      /let mock: Mock\n/,
    ],
    [{ 'package.json': toPackage('jest') }, ['__tests__/materials-mock.test.js'], /require\(/],
    [
      { 'package.json': toPackage('@playwright/test'), 'playwright.config.js': '' },
      ['playwright.config.js', 'playwright.mock.config.mjs'],
      /import config from '\.\/playwright\.config\.js'[^]*defineConfig\(config, \{/,
    ],
    [
      { 'package.json': toPackage('@playwright/test'), 'playwright.config.ts': '' },
      ['playwright.config.ts', 'playwright.mock.config.ts'],
      /import config from '\.\/playwright\.config'\n/,
    ],
    [
      { 'requirements.txt': 'pytest\n' },
      ['requirements.txt', 'tests/test_materials_mock.py'],
      /^found pytest\n/,
    ],
  ]
  for (const [index, [files, written, shown]] of cases.entries()) {
    const folder = t.testdir(files)
    const title = JSON.stringify(files)
    t.match(await run(t, folder), shown, title)
    t.match(await run(t, folder), /nothing is written; --yes writes it without asking$/)
    t.same(list(folder), Object.keys(files).toSorted(), 'it shows first')
    const text = await run(t, folder, { yes: true })
    t.match(text, 'written: ')
    const expected = 'package.json' in files ? [...written, 'package.json'] : written
    t.same(list(folder), [...expected].toSorted(), `${index} ${title}`)
    t.match(await run(t, folder, { yes: true }), /is there, and stays as it is$/)
  }
})

t.test('what is there stays: scripts, their order, the indentation and files', async (t) => {
  const scripts = { dev: 'vite', 'dev:mock': 'mine' }
  const json = JSON.stringify(
    { name: 'x', scripts, dependencies: { vite: '1', '@playwright/test': '1' } },
    null,
    4,
  )
  const folder = t.testdir({ 'package.json': json, 'mock-dev.mjs': 'mine' })
  const text = await run(t, folder, { yes: true })
  t.match(text, 'mock-dev.mjs is there, and stays as it is')
  t.match(text, 'add the mock itself')
  t.equal(readFileSync(`${folder}/mock-dev.mjs`, 'utf8'), 'mine')
  const changed = readFileSync(`${folder}/package.json`, 'utf8')
  t.same(JSON.parse(changed).scripts, {
    ...scripts,
    'test:mock': 'playwright test --config playwright.mock.config.mjs',
  })
  t.match(changed, /^\{\n {4}"name"/)
})

const parse = (folder: string): Parameters<typeof init.run>[0] =>
  init.parse({ DIR: folder }, {}, undefined) as Parameters<typeof init.run>[0]

t.test('a folder without a tool is refused', async (t) => {
  await t.rejects(init.run(parse(t.testdir({ 'package.json': '{}' }))), {
    code: 'OPTIONS_INVALID',
    message: /^give the folder of a project with Vite, .* has none of them$/,
  })
  await t.rejects(init.run(parse('/nowhere')), { message: /it can't be read: ENOENT/ })
  await t.rejects(init.run(parse(t.testdir({ 'package.json': '[]' }))), {
    message: /must be a JSON object$/,
  })
})
