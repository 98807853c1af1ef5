import { readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'

import { build } from 'esbuild'
import type { Plugin } from 'esbuild'

/** Lets a bundled module find the files beside its source: `import.meta.url` stays the URL of the source. */
export const sourceUrls: Plugin = {
  name: 'source-urls',
  setup: ({ initialOptions, onLoad }) => {
    initialOptions.define = { 'import.meta.url': 'sourceUrl' }
    onLoad({ filter: /\.(tsx?|mjs)$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8')
      if (!text.includes('import.meta.url')) return undefined
      const declaration = `const sourceUrl = ${JSON.stringify(pathToFileURL(path).href)};`
      const contents = text.replace(/^(#!.*\n)?/, (line) => line + declaration)
      return { contents, loader: path.endsWith('x') ? 'tsx' : path.endsWith('mjs') ? 'js' : 'ts' }
    })
  },
}

/** Gives each test file the `t` that the runner sets, instead of the one of the process. */
const currentTest = (currentTestFile: string): Plugin => ({
  name: 'current-test',
  setup: ({ onResolve }) =>
    onResolve({ filter: /^tap$/ }, ({ importer }) =>
      importer.endsWith('.test.ts') ? { path: currentTestFile } : undefined,
    ),
})

/**
 * Bundles test files with the sources that they import, so that no process compiles them. Modules that
 * several files use are shared, and packages are not bundled.
 * @param entries the test files, and what runs and reports them, by the names of their bundles
 * @param currentTestFile the module whose default export is `t` for the test files
 */
export async function bundleTests(
  entries: Readonly<Record<string, string>>,
  currentTestFile: string,
  root: string,
  folder: string,
): Promise<void> {
  await build({
    entryPoints: { ...entries },
    absWorkingDir: root,
    outdir: folder,
    chunkNames: 'chunks/[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    packages: 'external',
    sourcemap: true,
    sourcesContent: false,
    logLevel: 'warning',
    plugins: [sourceUrls, currentTest(currentTestFile)],
  })
}
