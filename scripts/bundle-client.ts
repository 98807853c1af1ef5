import { fileURLToPath } from 'node:url'

import { build } from 'esbuild'
import type { BuildOptions } from 'esbuild'

const ENTRY = fileURLToPath(new URL('../src/client.ts', import.meta.url))

/** Bundles the client of `packages/client/src` for browsers and Node, and returns the code. */
export async function bundleClient(
  options: Pick<BuildOptions, 'format' | 'globalName' | 'minify'>,
): Promise<string> {
  const { outputFiles } = await build({
    ...options,
    entryPoints: [ENTRY],
    bundle: true,
    write: false,
    platform: 'neutral',
    target: 'es2022',
  })
  return outputFiles.map(({ text }) => text).join('')
}
