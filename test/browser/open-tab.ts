import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

import type { Test } from 'tap'

import { bundleBrowser } from '../../scripts/bundle-browser.js'
import { readShippedFixtures } from '../../scripts/shipped-fixtures.js'
import { visit } from '../helpers/browser.js'
import type { Visit } from '../helpers/browser.js'

const ORIGIN = 'http://tab.example'

const MOYO = createRequire(import.meta.url).resolve('@spglib/moyo-wasm/moyo_wasm_bg.wasm')

/** The bundle, which a process makes once. */
let bundle: ReturnType<typeof bundleBrowser> | undefined

/** Opens a tab with `test/browser/in-tab.ts` as the global `tab`, and the shipped fixtures as `shipped`. */
export async function openTab(t: Test): Promise<Visit> {
  const scripts = await (bundle ??= bundleBrowser({ 'in-tab': 'test/browser/in-tab.ts' }))
  const visited = await visit(t)
  const { page } = visited
  const files: Readonly<Record<string, { contentType: string; body: string | Buffer }>> = {
    '/': { contentType: 'text/html', body: '<!doctype html><title>A tab</title>' },
    ...Object.fromEntries(
      Array.from(scripts, ([name, content]) => [
        `/${name}`,
        { contentType: 'text/javascript', body: Buffer.from(content) },
      ]),
    ),
    '/moyo_wasm_bg.wasm': { contentType: 'application/wasm', body: readFileSync(MOYO) },
  }
  await page.route(`${ORIGIN}/**`, (route) => {
    const file = files[new URL(route.request().url()).pathname]
    return route.fulfill(file ?? { status: 404 })
  })
  await page.goto(`${ORIGIN}/`)
  await page.evaluate(
    `import('/in-tab.js').then((tab) => Object.assign(window, { tab, shipped: ${JSON.stringify(readShippedFixtures())} }))`,
  )
  return visited
}
