import { writeFileSync } from 'node:fs'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import t from 'tap'
import type { Test } from 'tap'
import type { FastifyInstance } from 'fastify'

import { OptionsInvalid } from '../src/errors.js'
import { readFixtures } from '../src/store/fixtures.js'
import { Store } from '../src/store/store.js'
import { watchFixtures } from '../src/store/watch.js'
import { build, logIn, send, waitFor } from './build.js'

const ACCOUNTS = [
  { _id: 'ann', username: 'ann', password: 'x', tokens: ['ann-token'] },
  { _id: 'bob', username: 'bob', password: 'y' },
]
const ANN = { 'x-account-id': 'ann', 'x-auth-token': 'ann-token' }

const makeFolder = (t: Test): string =>
  t.testdir({
    'accounts.json': JSON.stringify(ACCOUNTS),
    'materials.json': '[{"_id": "m1", "name": "one"}, {"_id": "m2", "owner": {"_id": "bob"}}]',
    'projects.jsonl': '{"_id": "p1"}\n',
  })

const idsOf = async (
  app: FastifyInstance,
  resource: string,
  headers: Record<string, string> = ANN,
): Promise<string> =>
  (await send(app, `/${resource}`, { headers }))
    .json()
    .data.map?.(({ _id }: { _id: string }) => _id)
    .join()

t.test('a file that changes is loaded anew within a second, and sessions go on', async (t) => {
  const fixtures = makeFolder(t)
  const app = await build(t, { fixtures, watch: true })
  const headers = await logIn(app, 'ann', 'x')
  t.equal(await idsOf(app, 'materials', headers), 'm1')
  const start = performance.now()
  await writeFile(join(fixtures, 'materials.json'), '[{"_id": "m3"}, {"_id": "m4"}]')
  await waitFor(async () => (await idsOf(app, 'materials', headers)) === 'm3,m4')
  t.ok(performance.now() - start < 1000, 'within a second')
  t.equal(await idsOf(app, 'projects'), 'p1')
  await writeFile(join(fixtures, 'projects.jsonl'), '{"_id": "p2"}\n{"_id": "p3"}')
  await waitFor(async () => (await idsOf(app, 'projects')) === 'p2,p3')
  const materials = app.store.collections.get('materials')
  materials?.insert({ _id: 'm5' })
  app.store.reset()
  t.equal(await idsOf(app, 'materials'), 'm3,m4', 'a reset goes back to what was loaded last')
})

t.test('a file that an editor puts in the place of another is loaded too', async (t) => {
  const fixtures = makeFolder(t)
  const app = await build(t, { fixtures, watch: true })
  const [file, temporary] = [join(fixtures, 'materials.json'), join(fixtures, '.materials.json.x')]
  for (const id of ['m3', 'm4']) {
    await writeFile(temporary, `[{"_id": "${id}"}]`)
    await rename(temporary, file)
    await waitFor(async () => (await idsOf(app, 'materials')) === id)
  }
  t.equal(await idsOf(app, 'materials'), 'm4')
})

t.test('accounts that change log in or are out; who sees what follows', async (t) => {
  const fixtures = makeFolder(t)
  const app = await build(t, { fixtures, watch: true })
  const bob = await logIn(app, 'bob', 'y')
  app.store.snapshots.take('with bob')
  t.equal(await idsOf(app, 'materials'), 'm1')
  const changed = [
    { ...ACCOUNTS[0], tokens: ['ann-token', 'another-token'] },
    { _id: 'cat', username: 'cat', password: 'z' },
  ]
  await writeFile(join(fixtures, 'accounts.json'), JSON.stringify(changed))
  await waitFor(() => app.store.accounts.some(({ _id }) => _id === 'cat'))
  t.equal((await send(app, '/materials', { headers: bob })).statusCode, 401)
  t.equal(await idsOf(app, 'materials'), 'm1,m2', 'what was answered before is not kept')
  t.equal(await idsOf(app, 'materials', { ...ANN, 'x-auth-token': 'another-token' }), 'm1,m2')
  t.equal(await idsOf(app, 'materials', await logIn(app, 'cat', 'z')), 'm1,m2')
  app.store.snapshots.restore('with bob')
  t.equal((await send(app, '/materials', { headers: bob })).statusCode, 401, 'bob stays out')
})

/** Watches a folder: the store, the lines of the log without the folder, and what ends it. */
async function watch(t: Test, folder: string) {
  const store = new Store(await readFixtures(folder))
  const lines: string[] = []
  const log = (level: string) => (message: string) =>
    void lines.push(`${level} ${message.replaceAll(`${folder}/`, '')}`)
  const logs = { info: log('info'), warn: log('warn'), error: log('error') }
  const stop = watchFixtures(folder, store, logs)
  t.teardown(stop)
  const sizeOf = (resource: string) => store.collections.get(resource)?.size
  return { sizeOf, lines, logs, stop }
}

/** Puts a whole file in place at once, so that nobody reads a half of it. */
async function put(folder: string, file: string, text: string): Promise<void> {
  await writeFile(join(folder, `.${file}`), text)
  await rename(join(folder, `.${file}`), join(folder, file))
}

t.test('what is broken is told once, and the last good state stays', async (t) => {
  const folder = makeFolder(t)
  const { sizeOf, lines, stop } = await watch(t, folder)
  const expected: string[] = []
  const after = async (action: Promise<void>, line: string, size: number) => {
    expected.push(line)
    await action
    await waitFor(() => lines.length >= expected.length)
    t.same(lines, expected)
    t.equal(sizeOf('materials'), size)
  }
  const write = (file: string, text: string) => put(folder, file, text)

  await after(
    write('materials.json', '[{"_id": "m1"},\n {"_id": }]'),
    'error materials.json is not JSON: line 2, column 10: a value is expected; what was loaded before stays',
    2,
  )
  await after(write('projects.jsonl', '{"_id": "p2"}'), 'info projects.jsonl is loaded anew', 2)
  await after(
    write('materials.json', '[{"_id": "m1", "name": 5}]'),
    'error materials.json, item 1 (_id "m1"): name must be a string, not 5; what was loaded before stays',
    2,
  )
  await after(write('materials.json', '[{"_id": "m1"}]'), 'info materials.json is loaded anew', 1)
  await after(write('jobs.json', '[]'), 'warn jobs.json is new; a restart is needed to serve it', 1)
  await after(
    rm(join(folder, 'materials.json')),
    'warn materials.json is gone; what it held is served until a restart',
    1,
  )
  await after(
    write('materials.json', '[{"_id": "m8"}, {"_id": "m9"}]'),
    'info materials.json is loaded anew',
    2,
  )
  stop()
  const other = await watch(t, folder)
  await write('materials.json', '[]')
  await waitFor(() => other.sizeOf('materials') === 0)
  t.equal(sizeOf('materials'), 2, 'and it ends')
  t.same(lines, expected)
})

t.test('a file that is written while others are loaded is told once', async (t) => {
  const folder = makeFolder(t)
  const { sizeOf, lines, logs } = await watch(t, folder)
  const tell = logs.info
  logs.info = (message) => {
    if (message.includes('materials')) writeFileSync(join(folder, 'projects.jsonl'), '')
    tell(message)
  }
  writeFileSync(join(folder, 'materials.json'), '[]')
  writeFileSync(join(folder, 'projects.jsonl'), '{"_id": "p1"}\n{"_id": "p2"}')
  await waitFor(() => sizeOf('projects') === 0)
  await put(folder, 'jobs.json', '[]')
  await waitFor(() => lines.some((line) => line.includes('jobs.json')))
  t.same(lines, [
    'info materials.json is loaded anew',
    'info projects.jsonl is loaded anew',
    'warn jobs.json is new; a restart is needed to serve it',
  ])
})

t.test('a folder that never rests is read within a second all the same', async (t) => {
  const fixtures = makeFolder(t)
  const app = await build(t, { fixtures, watch: true })
  const noise = setInterval(() => writeFileSync(join(fixtures, 'a.log'), 'x'), 20)
  try {
    const start = performance.now()
    await writeFile(join(fixtures, 'materials.json'), '[{"_id": "m3"}]')
    await waitFor(async () => (await idsOf(app, 'materials')) === 'm3')
    t.ok(performance.now() - start < 1000)
  } finally {
    clearInterval(noise) // before the folder is taken away
  }
})

t.test('a folder that goes away is told, and one that comes in its place is loaded', async (t) => {
  const folder = join(t.testdir({ fixtures: {} }), 'fixtures')
  const make = async (id: string): Promise<void> => {
    await mkdir(`${folder}-new`)
    await writeFile(join(`${folder}-new`, 'materials.json'), `[{"_id": "${id}"}]`)
    await rename(`${folder}-new`, folder)
  }
  await make('m1')
  const store = new Store(await readFixtures(folder))
  const errors: string[] = []
  const tell = (message: string) => void errors.push(message)
  const log = { info: () => undefined, warn: tell, error: tell }
  t.teardown(watchFixtures(folder, store, log))
  const ids = () =>
    store.collections
      .get('materials')
      ?.save()
      .map(({ item }) => item._id)
      .join()

  await rename(folder, `${folder}-old`)
  await waitFor(() => errors.length > 0)
  await new Promise((resolve) => setTimeout(resolve, 900))
  t.same(errors, [`${folder} can't be read: it does not exist; what was loaded before stays`])
  t.equal(ids(), 'm1')
  await make('m2')
  await waitFor(() => ids() === 'm2')
  const file = join(folder, 'materials.json')
  await writeFile(`${file}.new`, '[{"_id": "m3"}]')
  await rename(`${file}.new`, file)
  await waitFor(() => ids() === 'm3')
  t.same(errors.slice(1), [])
})

t.test('only a folder that is there can be watched', async (t) => {
  await t.rejects(
    build(t, { fixtures: { materials: [] }, watch: true }),
    new OptionsInvalid('watch needs a folder of fixtures, not lists'),
  )
  const store = new Store(await readFixtures(makeFolder(t)))
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined }
  t.throws(() => watchFixtures('/nowhere', store, log), {
    code: 'OPTIONS_INVALID',
    message: /nowhere/,
  })
})
