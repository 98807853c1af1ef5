import { readFileSync } from 'node:fs'

import type { Plugin } from 'esbuild'

/** A part of the code of a package, and what is bundled in its place. */
export interface Replacement {
  /** The end of the module's path, with slashes. */
  readonly module: string
  readonly from: string
  readonly to: string
}

/**
 * Replaces parts of packages while they are bundled.
 * @throws Error if another version of a package has no such part
 */
export const replaceInModules = (name: string, replacements: readonly Replacement[]): Plugin => ({
  name,
  setup: ({ onLoad }) => {
    const names = replacements.map(({ module }) => module.replaceAll('.', '\\.'))
    onLoad({ filter: new RegExp(`/node_modules/(${names.join('|')})$`) }, ({ path }) => ({
      contents: replacements
        .filter(({ module }) => path.endsWith(module))
        .reduce(replace, readFileSync(path, 'utf8')),
    }))
  },
})

function replace(code: string, { module, from, to }: Replacement): string {
  if (!code.includes(from)) throw new Error(`${module} has no "${from}" any more to replace`)
  return code.replace(from, () => to)
}
