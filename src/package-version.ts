import { readFileSync } from 'node:fs'

/** Reads the version of this package from its package.json. */
export function readPackageVersion(): string {
  const text = readFileSync(new URL('../package.json', import.meta.url), 'utf8')
  return (JSON.parse(text) as { version: string }).version
}
