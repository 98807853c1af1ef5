import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** Returns the path of a file of this package, from `src` and from `dist` alike. */
export const packagePath = (path: string): string =>
  fileURLToPath(new URL(`../${path}`, import.meta.url))

export function readPackageVersion(): string {
  const { version } = JSON.parse(readFileSync(packagePath('package.json'), 'utf8'))
  return version
}
