import { execFileSync, spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { HEAD, OPTIONS, PROGRAMS, judge } from '../../test/client/programs.js'

/**
 * Compiles the programs of test/client/programs.ts against the built package with versions of TypeScript from npm,
 * with and without `exactOptionalPropertyTypes`. It ends with 1 if a version judges one differently.
 *
 *     npm run try:typescript [VERSION...]
 */

const VERSIONS = ['5.4', '5.5', '5.6', '5.7', '5.8', '5.9', '6.0', 'latest']

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

for (const version of process.argv.length > 2 ? process.argv.slice(2) : VERSIONS)
  tryVersion(version)

function tryVersion(version: string): void {
  const folder = mkdtempSync(join(tmpdir(), 'typescript-'))
  const npm = ['install', '--no-save', '--no-audit', '--no-fund', '--silent']
  writeFileSync(join(folder, 'package.json'), '{"type": "module"}')
  execFileSync('npm', [...npm, `typescript@${version}`], { cwd: folder })
  const types = join(folder, 'node_modules/materials-mock')
  mkdirSync(types, { recursive: true })
  writeFileSync(
    join(types, 'package.json'),
    JSON.stringify({ type: 'module', exports: { './client': { types: './client.d.ts' } } }),
  )
  for (const file of ['client.d.ts', 'client.d.cts'])
    copyFileSync(join(ROOT, 'dist', file), join(types, file))
  for (const [index, { code }] of PROGRAMS.entries())
    writeFileSync(join(folder, `${index}.ts`), HEAD + code)
  for (const exact of [true, false]) {
    const errors = compile(folder, exact)
    const wrong = judge((index) => errors.get(index) ?? []).filter(
      // The option alone refuses it.
      (each) => exact || !each.includes('exactOptionalPropertyTypes'),
    )
    const count = `${PROGRAMS.length - wrong.length} of ${PROGRAMS.length} programs`
    const name = `${runTsc(folder, '--version').trim().replace('Version ', '')}, exactOptionalPropertyTypes ${exact}`
    console.log([`TypeScript ${name}: ${count}`, ...wrong].join('\n  '))
    if (wrong.length > 0) process.exitCode = 1
  }
  rmSync(folder, { recursive: true })
}

/** Returns the errors of the programs by their numbers. */
function compile(folder: string, exactOptionalPropertyTypes: boolean): Map<number, string[]> {
  const compilerOptions = { ...OPTIONS, exactOptionalPropertyTypes }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions }))
  const errors = new Map<number, string[]>()
  let last = -1
  for (const line of runTsc(folder, '--pretty', 'false').split('\n')) {
    const [, index, message = ''] = /^(\d+)\.ts\(\d+,\d+\): (.*)/.exec(line) ?? []
    if (index !== undefined) {
      last = Number(index)
      errors.set(last, [...(errors.get(last) ?? []), message])
    } else if (line.startsWith(' ')) {
      errors.get(last)?.push(line.trim())
    } else if (line !== '') {
      throw new Error(line)
    }
  }
  return errors
}

function runTsc(cwd: string, ...args: readonly string[]): string {
  const { error, stdout } = spawnSync('node_modules/.bin/tsc', args, { cwd, encoding: 'utf8' })
  if (error !== undefined) throw error
  return stdout
}
