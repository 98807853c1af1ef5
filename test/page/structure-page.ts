import { fileURLToPath } from 'node:url'

import { build } from 'esbuild'
import type { Page } from 'playwright-core'
import type { Test } from 'tap'

import { PAGE_BUILD } from '../../scripts/bundle-ui.js'
import { visit } from '../helpers/browser.js'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/**
 * The viewer with the state that the address has in the page, and what its frames cost. Each frame begins
 * by clearing its colors. Shapes have an index of their corners or none.
 */
const SCRIPT = `
  import { h, render } from 'preact'
  import { adjust, dataState } from './packages/page/src/state/navigation.js'
  import { DEFAULT_DATA } from './packages/page/src/state/page-state.js'
  import { Viewer } from './packages/page/src/structure/viewer.js'
  import './packages/page/src/styles/index.css'

  function mountViewer(element) {
    adjust(DEFAULT_DATA)
    const update = (material) => render(h(Viewer, { material }), element)
    update({})
    return { update, dispose: () => render(null, element), readState: () => dataState.value }
  }

  const statistics = { frames: 0, drawCalls: 0, triangles: 0 }
  const { prototype } = WebGL2RenderingContext
  const { clear, drawArraysInstanced, drawElementsInstanced } = prototype
  prototype.clear = function (mask) {
    if (mask & this.COLOR_BUFFER_BIT)
      Object.assign(statistics, { frames: statistics.frames + 1, drawCalls: 0, triangles: 0 })
    return clear.call(this, mask)
  }
  const count = (corners, shapes) => {
    statistics.drawCalls += 1
    statistics.triangles += (shapes * corners) / 3
  }
  prototype.drawArraysInstanced = function (mode, first, corners, shapes) {
    count(corners, shapes)
    return drawArraysInstanced.call(this, mode, first, corners, shapes)
  }
  prototype.drawElementsInstanced = function (mode, corners, type, first, shapes) {
    count(corners, shapes)
    return drawElementsInstanced.call(this, mode, corners, type, first, shapes)
  }
  Object.assign(window, { mountViewer, statistics })
`

const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <title>Structures</title>
    <link rel="icon" href="data:," />
    <link rel="stylesheet" href="/page.css" />
    <script type="module" src="/page.js"></script>
  </head>
  <body><main></main></body>
</html>`

/** A page with the viewer of structures alone, without a server. */
export interface StructurePage {
  readonly page: Page
  /** What the page wrote to the console or threw, warnings included. */
  readonly messages: string[]
}

/** Bundles the viewer, and opens a page in which `mountViewer` is global. */
export async function openStructurePage(t: Test): Promise<StructurePage> {
  const { outputFiles } = await build({
    stdin: { contents: SCRIPT, resolveDir: ROOT, loader: 'ts' },
    ...PAGE_BUILD,
    outdir: ROOT,
    write: false,
  })
  const find = (end: string): string =>
    outputFiles.find(({ path }) => path.endsWith(end))?.text ?? ''
  const files: Readonly<Record<string, readonly [type: string, body: string]>> = {
    '/': ['text/html', PAGE],
    '/page.js': ['text/javascript', find('.js')],
    '/page.css': ['text/css', find('.css')],
  }
  const { page, errors: messages } = await visit(t, { draws: true })
  await page.route('http://structures.test/**', (route) => {
    const [type, body] = files[new URL(route.request().url()).pathname] ?? ['text/plain', '']
    const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:"
    const headers = { 'content-type': type, 'content-security-policy': policy }
    return route.fulfill({ headers, body })
  })
  await page.goto('http://structures.test/')
  await page.waitForFunction('window.mountViewer')
  return { page, messages }
}
