import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import { rename, rm, symlink, writeFile } from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'

import t from 'tap'
import type { Test } from 'tap'

import { loadFixtures } from '../../src/fixtures/load-fixtures.js'
import { FixtureReloader } from '../../src/fixtures/fixture-reloader.js'
import { LoadedFixtures } from '../../src/store/loaded-fixtures.js'
import { Store } from '../../src/store/store.js'
import { waitFor } from '../helpers/build.js'

/** The time between two checks of the files, in ms. */
const LOOK_MS = 20

/** Reloads a directory. Returns the log without the directory's path. */
async function startReloading(t: Test, directory: string) {
  const store = new Store(new LoadedFixtures(await loadFixtures(directory)))
  const lines: string[] = []
  const addLine = (message: string) => void lines.push(message.replaceAll(`${directory}/`, ''))
  const logger = { info: addLine, warn: addLine, error: addLine }
  const reloader = new FixtureReloader(directory)
  reloader.connect({ store, logger, names: store.collections.keys(), loadScenarios: () => {} })
  reloader.watch(LOOK_MS)
  t.teardown(() => reloader.stop())
  const sizeOf = (resource: string) => store.collections.get(resource)?.size
  return { sizeOf, lines }
}

/** Replaces functions of `node:fs` for all modules. */
function replace(functions: object): void {
  Object.assign(fs, functions)
  syncBuiltinESMExports()
}

const FORMER_STAYS = 'the content loaded before stays in use'

t.test('a change behind a symbolic link is reloaded', async (t) => {
  const root = t.testdir({
    data: { 'real.json': '[{"_id": "m1"}]' },
    fixtures: { 'materials.json': t.fixture('symlink', '../data/real.json') },
    link: t.fixture('symlink', 'fixtures'),
  })
  const { sizeOf } = await startReloading(t, join(root, 'link'))
  await writeFile(join(root, 'data/real.json'), '[{"_id": "m1"}, {"_id": "m2"}]')
  await waitFor(() => sizeOf('materials') === 2)
  await writeFile(join(root, 'data/new.json'), '[]')
  await rename(join(root, 'data/new.json'), join(root, 'data/real.json'))
  await waitFor(() => sizeOf('materials') === 0)
  await rm(join(root, 'data/real.json'))
  await writeFile(join(root, 'data/real.json'), '[{"_id": "m3"}]')
  await waitFor(() => sizeOf('materials') === 1)
  t.equal(sizeOf('materials'), 1)
})

t.test('a file that can not be read is reported once, and the others are reloaded', async (t) => {
  const cases: [make: (path: string) => unknown, reason: string][] = [
    [(path) => symlink(path, path), 'its symbolic links are circular'],
    [(path) => symlink('/dev/zero', path), 'it is not a regular file'],
    [(path) => symlink('/proc/self/mem', path), 'EIO: i/o error, read'],
    [(path) => execFileSync('mkfifo', [path]), 'it is not a regular file'],
    [(path) => fs.mkdirSync(path), 'it is a folder'],
  ]
  for (const [make, reason] of cases) {
    const directory = t.testdir({
      'materials.json': '[{"_id": "m1"}]',
      'projects.json': '[{"_id": "p1"}]',
    })
    const { sizeOf, lines } = await startReloading(t, directory)
    await rm(join(directory, 'materials.json'))
    await make(join(directory, 'materials.json'))
    await waitFor(() => lines.some((line) => line.startsWith("materials.json can't be read")))
    await writeFile(join(directory, 'projects.json'), '[]')
    await waitFor(() => sizeOf('projects') === 0)
    t.same(
      lines.filter((line) => line.includes("can't")),
      [`materials.json can't be read: ${reason}; ${FORMER_STAYS}`],
    )
    t.equal(sizeOf('materials'), 1)
    await rm(join(directory, 'materials.json'), { recursive: true })
    await writeFile(join(directory, 'materials.json'), '[]')
    await waitFor(() => sizeOf('materials') === 0)
  }
})

t.test(
  'a directory that becomes a circular link is reported, and its return is seen',
  async (t) => {
    const root = t.testdir({ fixtures: { 'materials.json': '[{"_id": "m1"}]' } })
    const directory = join(root, 'fixtures')
    const { sizeOf, lines } = await startReloading(t, directory)
    await rename(directory, `${directory}-old`)
    await symlink('fixtures', directory)
    await waitFor(() => lines.length > 0)
    await new Promise((resolve) => setTimeout(resolve, 5 * LOOK_MS))
    await rm(directory)
    await writeFile(join(`${directory}-old`, 'materials.json'), '[]')
    await rename(`${directory}-old`, directory)
    await waitFor(() => sizeOf('materials') === 0)
    const message = (reason: string) => `${directory} can't be read: ${reason}; ${FORMER_STAYS}`
    const allowed = new Set([
      message('its symbolic links are circular'),
      message('it does not exist'),
    ])
    t.same(
      lines.filter((line) => line.includes("can't") && !allowed.has(line)),
      [],
    )
  },
)

t.test('no error of stat or readdir ends the process', async (t) => {
  const directory = t.testdir({ 'materials.json': '[{"_id": "m1"}]' })
  let code: string | undefined
  let failures = 0
  const fail =
    <Arguments extends unknown[], Result>(f: (...values: Arguments) => Result) =>
    (...values: Arguments): Result => {
      if (code === undefined) return f(...values)
      failures += 1
      throw Object.assign(new Error(`${code}: failed`), { code })
    }
  const { statSync, readdirSync } = fs
  t.teardown(() => replace({ statSync, readdirSync }))
  replace({
    statSync: fail(statSync as (...values: unknown[]) => unknown),
    readdirSync: fail(readdirSync as (...values: unknown[]) => unknown),
  })

  const { sizeOf, lines } = await startReloading(t, directory)
  for (const each of ['EACCES', 'ELOOP', 'EIO', 'EMFILE', 'ENAMETOOLONG']) {
    code = each
    const before = failures
    await waitFor(() => failures > before + 3)
  }
  code = undefined
  await writeFile(join(directory, 'materials.json'), '[]')
  await waitFor(() => sizeOf('materials') === 0)
  t.match(lines[0], "can't be read: access is denied")
  t.equal(lines.filter((line) => line.includes('EIO: failed')).length, 1, 'reported once')
})
