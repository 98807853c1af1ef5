import {
  copyFileSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'

import { build as buildWithEsbuild } from 'esbuild'
import t from 'tap'
import type { Test } from 'tap'
import { build as buildWithVite, createLogger, createServer } from 'vite'
import webpack from 'webpack'

import { startMock } from '../../src/mock/start-mock.js'
import { skipReason, visit } from '../../test/helpers/browser.js'
import type { Visit } from '../../test/helpers/browser.js'
import { findBlock } from '../../test/docs/blocks.js'
import { STORIES_PAGE } from '../../test/docs/stories-page.js'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** A front end that starts the mock, and writes a material: its symmetry needs spglib's library. */
const APP = `
import { OptionsInvalid, startMock } from 'materials-mock/browser'

globalThis.run = async (fixtures) => {
  const refused = await startMock({ fixtures, port: 1 }).catch((error) => error instanceof OptionsInvalid)
  const mock = await startMock({ fixtures })
  const ask = async (path, init) => (await mock.fetch('/api/2018-10-01' + path, init)).json()
  const body = new URLSearchParams({ username: 'demo', password: 'demo' })
  const headers = await ask('/login', { method: 'POST', body })
  const content = 'cube\\n1\\n3 0 0\\n0 3 0\\n0 0 3\\nPo\\n1\\nDirect\\n0 0 0'
  const imported = await ask('/materials/import', {
    method: 'POST',
    headers: { ...headers, 'Content-Type': 'application/json' },
    body: JSON.stringify({ content, format: 'poscar', name: 'Po' }),
  })
  return { refused, imported }
}
`

/** What a bundler says of any file of more than 244 or 500 kB. */
const ABOUT_SIZE = /size limit|larger than 500 kB|limit the size|performance recommendations/

/** Bundles the front end of a folder into its folder \`out\`. Returns the warnings. */
const BUNDLERS: Readonly<Record<string, (folder: string) => Promise<string[]>>> = {
  esbuild: async (folder) => {
    const { warnings } = await buildWithEsbuild({
      entryPoints: [join(folder, 'app.js')],
      outdir: join(folder, 'out'),
      bundle: true,
      minify: true,
      format: 'esm',
      logLevel: 'silent',
    })
    copyFileSync(`${ROOT}dist/moyo_wasm_bg.wasm`, join(folder, 'out/moyo_wasm_bg.wasm'))
    return warnings.map(({ text }) => text)
  },
  vite: async (folder) => {
    const warnings: string[] = []
    const logger = createLogger('silent')
    logger.warn = logger.warnOnce = (text) => void warnings.push(text)
    await buildWithVite({
      root: folder,
      base: './',
      configFile: false,
      customLogger: logger,
      build: { outDir: 'out', rollupOptions: { input: join(folder, 'app.js') }, target: 'es2022' },
    })
    return warnings
  },
  webpack: (folder) =>
    new Promise((resolve, reject) => {
      const config = {
        mode: 'production',
        context: folder,
        entry: './app.js',
        output: { path: join(folder, 'out'), publicPath: 'auto' },
      } as const
      webpack(config, (error, stats) => {
        if (error !== null) return reject(error)
        const { warnings = [], errors = [] } =
          stats?.toJson({ all: false, warnings: true, errors: true }) ?? {}
        return resolve([...warnings, ...errors].map(({ message }) => message))
      })
    }),
}

/** Opens the page of a folder of files. */
async function openFiles(t: Test, folder: string): Promise<Visit> {
  const visited = await visit(t)
  await visited.page.route('http://bundle.example/**', (route) => {
    const { pathname } = new URL(route.request().url())
    const path = join(folder, pathname === '/' ? 'index.html' : pathname)
    const contentType = { '.html': 'text/html', '.js': 'text/javascript' }[extname(path)]
    return route.fulfill({ path, contentType: contentType ?? 'application/wasm' })
  })
  await visited.page.goto('http://bundle.example/')
  return visited
}

/** Bundles a folder with an `index.html`, as `vite build` does. Returns the folder of the files. */
async function buildPage(folder: string): Promise<string> {
  mkdirSync(join(folder, 'node_modules'))
  symlinkSync(ROOT, join(folder, 'node_modules/materials-mock'))
  const build = { outDir: 'out', target: 'es2022', modulePreload: false }
  await buildWithVite({ root: folder, configFile: false, logLevel: 'silent', build })
  return join(folder, 'out')
}

const fixtures = { materials: [] }

for (const [name, bundle] of Object.entries(BUNDLERS)) {
  t.test(`${name} bundles the mock for a browser`, { skip: skipReason() }, async (t) => {
    const folder = t.testdir({ 'app.js': APP, 'package.json': '{ "type": "module" }' })
    mkdirSync(join(folder, 'node_modules'))
    symlinkSync(ROOT, join(folder, 'node_modules/materials-mock'))
    t.same(
      (await bundle(folder)).filter((text) => !ABOUT_SIZE.test(text)),
      [],
      'without a warning',
    )
    const out = join(folder, 'out')
    const files = readdirSync(out, { recursive: true, encoding: 'utf8' })
    const scripts = files.filter((file) => file.endsWith('.js'))
    const size = scripts.reduce(
      (sum, file) => sum + gzipSync(readFileSync(join(out, file))).length,
      0,
    )
    t.ok(size < 450_000, `the scripts have ${size} bytes gzipped`)
    const entry = scripts.find((file) => /(?:app|main|index)[^/]*\.js$/.test(file)) ?? ''
    writeFileSync(
      join(out, 'index.html'),
      `<!doctype html><script type="module" src="${entry}"></script>`,
    )
    const { page } = await openFiles(t, out)
    const result = await page.evaluate(`run(${JSON.stringify(fixtures)})`)
    t.match(result, { refused: true, imported: { status: 'success' } })
    t.match(JSON.stringify(result), /"spaceGroupSymbol":"Pm-3m"/)
  })
}

/** In the place of the script in the page: Vite bundles a module with an address. */
const SCRIPT = '<script type="module" src="./stories.js"></script>'

const EXAMPLES = `${ROOT}docs/examples/`

t.test('the example of a bundle lists its materials', { skip: skipReason() }, async (t) => {
  const folder = t.testdir()
  for (const file of ['index.html', 'main.js'])
    copyFileSync(`${EXAMPLES}browser/${file}`, join(folder, file))
  const { page, errors } = await openFiles(t, await buildPage(folder))
  await page.locator('li').first().waitFor()
  t.match(await page.locator('li').allTextContents(), [/^Si, /, /^Si, /, 'Silicon FCC'])
  t.same(errors, [])
})

t.test('the stories of a published Storybook have a mock', { skip: skipReason() }, async (t) => {
  const folder = t.testdir({ 'index.html': STORIES_PAGE.replace(/<script type.*script>/s, SCRIPT) })
  const [, code = ''] = /<script type="module">(.*)<\/script>/s.exec(STORIES_PAGE) ?? []
  writeFileSync(join(folder, 'stories.js'), code)
  for (const file of readdirSync(`${EXAMPLES}storybook`)) {
    const text = readFileSync(`${EXAMPLES}storybook/${file}`, 'utf8')
    writeFileSync(join(folder, file), text.replace("from './mock.js'", "from './mock-in-tab.js'"))
  }
  const { page, errors } = await openFiles(t, await buildPage(folder))
  for (const [story, text] of [
    ['Empty', 'No jobs'],
    ['BusyQueue', '5 jobs'],
    ['Slow', '2 jobs'],
  ])
    await page.locator(`#${story} [role=status]`, { hasText: text ?? '' }).waitFor()
  await page.locator('#BusyQueue button').click()
  await page.locator('#BusyQueue [role=status]', { hasText: '4 jobs' }).waitFor()
  t.same(errors, [])
})

t.test("what Vite's proxy makes of a dropped connection is as the docs say", async (t) => {
  const mock = await startMock({
    fixtures: {
      accounts: [{ _id: 'ann', username: 'ann', password: 'x', tokens: ['ann-token'] }],
      materials: [{ _id: 'm1' }],
    },
    logLevel: 'silent',
  })
  t.teardown(() => mock.close())
  const { code } = findBlock('docs/front-end.md', 'export default')
  const vite = await createServer({
    root: t.testdir({ 'vite.config.js': code.replace('http://127.0.0.1:4000', mock.url) }),
    logLevel: 'silent',
    server: { host: '127.0.0.1', port: 0 },
  })
  t.teardown(() => vite.close())
  await vite.listen()
  const url = `${vite.resolvedUrls?.local[0]}api/2018-10-01/materials`
  const headers = {
    'X-Account-Id': 'ann',
    'X-Auth-Token': 'ann-token',
    'User-Agent': 'Mozilla/5.0',
  }
  const whole = await (await fetch(url, { headers })).text()
  for (let time = 0; time < 2; time += 1) {
    mock.faults.add({ drop: 'reset', times: 1 })
    const dropped = await fetch(url, { headers })
    t.equal(dropped.status, 502)
    t.equal(await dropped.text(), '')
    t.equal((await fetch(url, { headers })).status, 200)
  }
  mock.faults.add({ drop: 'truncate', times: 1 })
  const { body } = await fetch(url, { headers })
  const reader = body?.getReader()
  const { value } = (await reader?.read()) ?? {}
  t.equal(value?.length, whole.length / 2, 'and it does not end')
  await reader?.cancel()
})
