import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'

import { GENERATORS, PICTURES, RELEASE_CHECKS, TEST_OF_PAGES } from './release-checks.js'
import type { ScriptCall } from './release-checks.js'

/**
 * Releases a version: runs what `.ci/run` does not, bumps the version, gives the unreleased changes its
 * name, commits and tags it, and packs the package, that of the client and that of Python. It works in the
 * current folder, and neither pushes nor publishes (docs/contributing.md).
 */

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { 'dry-run': { type: 'boolean', default: false } },
})
const { version: current } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }
const version = toVersion(current, positionals[0] ?? '')
/** The name of Python's source distribution (PEP 625). */
const PYTHON = `materials_mock-${version}`

const changelog = readFileSync('CHANGELOG.md', 'utf8')
const released = releaseChanges(changelog, version, new Date().toISOString().slice(0, 10))
checkRepository(`v${version}`)

if (values['dry-run']) {
  console.log(
    `${current} becomes ${version}: would commit it, tag it v${version}, and pack it, the client and ${PYTHON}`,
  )
} else {
  runScripts(GENERATORS)
  checkCommitted()
  runScripts(RELEASE_CHECKS)
  runScripts([PICTURES])
  run('npm', 'version', version, '--no-git-tag-version', '--ignore-scripts')
  writeFileSync('CHANGELOG.md', released)
  for (const file of ['README.md', 'docs/controls.md', 'python/pyproject.toml'])
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll(current, version))
  runScripts([TEST_OF_PAGES])
  run('git', 'commit', '--all', '--message', `Release ${version}`)
  run('git', 'tag', '--annotate', `v${version}`, '--message', `Version ${version}`)
  // The first one builds both packages.
  console.log(run('npm', 'pack', '--silent'))
  console.log(run('npm', 'pack', '--silent', './dist/client-package'))
  const information = `Metadata-Version: 2.1\nName: materials-mock\nVersion: ${version}\n`
  run(
    'git',
    'archive',
    `--prefix=${PYTHON}/`,
    `--add-virtual-file=${PYTHON}/PKG-INFO:${information}`,
    `--output=${PYTHON}.tar.gz`,
    'HEAD:python',
  )
  console.log(`${PYTHON}.tar.gz`)
}

/** @throws Error for what is neither `major`, `minor`, `patch` nor a higher version */
function toVersion(from: string, bump: string): string {
  const parts = from.split('.').map(Number)
  const index = ['major', 'minor', 'patch'].indexOf(bump)
  if (index !== -1)
    return parts.map((part, at) => (at < index ? part : at === index ? part + 1 : 0)).join('.')
  const [next, last] = [bump, from].map((text) => text.split('.').map(Number))
  const changed = next?.findIndex((part, at) => part !== last?.[at]) ?? -1
  const isHigher = changed !== -1 && (next?.[changed] ?? 0) > (last?.[changed] ?? 0)
  if (/^\d+\.\d+\.\d+$/.test(bump) && isHigher) return bump
  throw new Error(`must be major, minor, patch or a version above ${from}, not "${bump}"`)
}

/** @throws Error if there are no unreleased changes */
function releaseChanges(text: string, name: string, date: string): string {
  const [, changes = ''] = /^## Unreleased\n([\s\S]*?)(?=^## |$(?![\s\S]))/m.exec(text) ?? []
  if (!/^- /m.test(changes)) throw new Error('CHANGELOG.md has no changes under "## Unreleased"')
  return text.replace('## Unreleased\n', `## Unreleased\n\n## ${name} - ${date}\n`)
}

/** @throws Error if the tree is not a clean `main` without the tag */
function checkRepository(tag: string): void {
  const branch = run('git', 'rev-parse', '--abbrev-ref', 'HEAD')
  if (branch !== 'main') throw new Error(`a release is made from main, not from ${branch}`)
  checkCommitted()
  if (run('git', 'tag', '--list', tag) !== '') throw new Error(`the tag ${tag} exists`)
}

/** @throws Error if a file differs from what is committed */
function checkCommitted(): void {
  const changes = run('git', 'status', '--porcelain')
  if (changes !== '') throw new Error(`there are changes that are not committed:\n${changes}`)
}

/** @throws Error if a script fails */
function runScripts(calls: readonly ScriptCall[]): void {
  for (const [script, ...args] of calls) {
    const { status } = spawnSync('npm', ['run', '--if-present', script, ...args], {
      stdio: ['ignore', process.stderr, process.stderr],
    })
    if (status !== 0) throw new Error(`npm run ${[script, ...args].join(' ')} fails`)
  }
}

function run(command: string, ...args: string[]): string {
  return execFileSync(command, args, { encoding: 'utf8' }).trim()
}
