import { IDBFactory } from 'fake-indexeddb'
import t from 'tap'
import type { Test } from 'tap'

import type { Json, JsonObject } from '@materials-mock/json'
import { KeptItems } from '../../src/browser/kept-items.js'
import { loadFixtures } from '../../src/fixtures/load-fixtures.js'
import { StateFolder } from '../../src/fixtures/state/state-folder.js'
import { createMock } from '../../src/mock/create-mock.js'
import { respond } from '../../src/mock/respond.js'
import { completeOptions } from '../../src/options.js'
import { compose } from '../../src/server/compose.js'
import type { KeptState } from '../../src/server/compose.js'
import { BASE } from '../helpers/build.js'
import { replace } from '../helpers/replace.js'

const JOB = 'WcTtK8e6rPQPWSEm9'
const DURATION = 10_000
const HEADERS = {
  'x-account-id': 'oEb32zJWy27miFESb',
  'x-auth-token': 'demo-preferences-token',
}
const SUBMITTED_AT = Date.parse('2026-03-01T12:00:00Z')

const fixtures = await loadFixtures('fixtures')

type Mock = ReturnType<typeof createMock>

/** The time of the system. */
let system = SUBMITTED_AT

const toTime = (after: number): Date => new Date(SUBMITTED_AT + after)

async function start(t: Test, state?: KeptState, loaded = fixtures): Promise<Mock> {
  const settings = completeOptions({ logLevel: 'silent', jobDuration: DURATION })
  const app = await compose(settings, loaded, { version: '1.0.0', state })
  const mock = createMock(app, 'https://mock.example', respond)
  t.teardown(() => mock.close())
  return mock
}

/** Opens what keeps the state of a mock. */
const OPEN: Readonly<Record<string, (folder: string) => Promise<KeptState>>> = {
  restart: (folder) => StateFolder.open(folder),
  reload: () => KeptItems.open('https://site.example', 'build'),
}

/** Returns what a client sees of the job, of its life, of its files and of what it has left. */
async function look(mock: Mock): Promise<unknown> {
  const get = async (path: string): Promise<Json> =>
    (await mock.app.inject({ url: BASE + path, headers: HEADERS })).json().data
  const ofJob = encodeURIComponent(JSON.stringify({ 'source.info.jobId': JOB }))
  const files = (await get(`/jobs/${JOB}/files`)) as JsonObject[]
  return {
    job: await get(`/jobs/${JOB}`),
    life: await mock.run(JOB),
    files: files.map(({ key, size, lastModified }) => ({ key, size, lastModified })),
    properties: await get(`/properties?query=${ofJob}`),
    charges: await get(`/charges?query=${ofJob}`),
  }
}

/** Times after the submission, in ms, in both directions. */
const TIMES = [-5000, 60_000, 12_000]

/** Returns what is shown now, and at several times afterwards. */
async function lookAround(mock: Mock): Promise<ReadonlyMap<string, unknown>> {
  const seen = new Map([['first', await look(mock)]])
  for (const after of TIMES) {
    await mock.clock.rewind(toTime(after))
    seen.set(`at ${after}`, await look(mock))
  }
  return seen
}

/** Sets the clock of a mock to where it stands when the state is kept. */
type SetClock = (mock: Mock) => Promise<void>

const freeze =
  (after: number): SetClock =>
  async ({ clock }) => {
    await clock.freeze()
    await clock.set(toTime(after))
  }

const rewind =
  (after: number): SetClock =>
  async ({ clock }) => {
    await clock.freeze()
    await clock.rewind(toTime(after))
  }

const CLOCKS: Readonly<Record<string, SetClock>> = {
  'now, while it is submitted': async () => undefined,
  'now, at its end': async ({ clock }) => void (await clock.advance(2 * DURATION)),
  'in the past, before its submission': rewind(-5000),
  'in the past, while it was active': rewind(12_000),
  'set to before its submission': freeze(-5000),
  'set to while it is active': freeze(12_000),
  'set to after its end': freeze(60_000),
}

/** What happens between the submission and the keeping. */
const LIVES: Readonly<Record<string, (mock: Mock) => Promise<void>>> = {
  'it runs': async () => undefined,
  'it has ended, as time went by': async () => void (system += 60_000),
  'it has ended before': async ({ clock }) => void (await clock.advance(60_000)),
  'it has ended, and was edited': async (mock) => {
    await mock.clock.advance(60_000)
    await edit(mock, 'edited')
  },
}

/** Renames the job, and changes one of its results and removes another one, if it has any. */
async function edit(mock: Mock, name: string): Promise<void> {
  const send = (method: 'PATCH' | 'DELETE', path: string) =>
    mock.app.inject({
      method,
      url: BASE + path,
      headers: { ...HEADERS, 'content-type': 'application/json' },
      ...(method === 'PATCH' && { payload: { name } }),
    })
  const { properties } = (await look(mock)) as { properties: JsonObject[] }
  const paths = properties.slice(0, 2).map(({ _id }) => `/properties/${String(_id)}`)
  await send('PATCH', `/jobs/${JOB}`)
  if (paths[0] !== undefined) await send('PATCH', paths[0])
  if (paths[1] !== undefined) await send('DELETE', paths[1])
}

/** Keeps the state of a mock, and returns a mock that has it. */
type Keep = (
  t: Test,
  mock: Mock,
  setClock: SetClock,
  open: () => Promise<KeptState>,
) => Promise<Mock>

const restart: Keep = async (t, mock, setClock, open) => {
  await mock.close()
  const next = await start(t, await open())
  await setClock(next)
  return next
}

const WAYS: Readonly<Record<string, Keep>> = {
  'a state folder and a restart': restart,
  'a snapshot': async (_t, mock, setClock) => {
    mock.snapshot('kept')
    await mock.clock.advance(100_000)
    await edit(mock, 'later')
    await mock.clock.reset()
    await setClock(mock)
    mock.restore('kept')
    return mock
  },
  'a snapshot, and a reset': async (_t, mock, setClock) => {
    mock.snapshot('kept')
    mock.reset()
    await setClock(mock)
    mock.restore('kept')
    return mock
  },
  'a snapshot and a restart': async (t, mock, setClock, open) => {
    mock.snapshot('kept')
    await mock.clock.advance(100_000)
    await edit(mock, 'later')
    const next = await restart(t, mock, setClock, open)
    next.restore('kept')
    return next
  },
  'a site and a reload': async (t, mock, _setClock, open) => {
    await mock.close()
    return start(t, await open())
  },
  'a scenario elsewhere': async (t, mock) => {
    const items = { kept: await mock.toScenario() }
    const scenarios = { file: 'scenarios.json', items }
    const next = await start(t, undefined, { ...fixtures, scenarios })
    next.scenario('kept')
    return next
  },
}

/** Submits the job, and goes on to where the state is kept. */
async function run(mock: Mock, life: string, setClock: SetClock): Promise<Mock> {
  const url = `${BASE}/jobs/${JOB}/submit`
  await mock.app.inject({ method: 'POST', url, headers: HEADERS })
  await LIVES[life]?.(mock)
  await mock.clock.reset()
  await setClock(mock)
  return mock
}

/**
 * Whether a job ended by a clock that was ahead, before a server started again whose clock is not. From then on it
 * has ended; only `rewind` shows that it would not have.
 */
const endedAhead = (way: string, life: string, clock: string): boolean =>
  way.includes('restart') && /ended before|edited/.test(life) && clock.includes('while it is')

/** What is shown without keeping, by the life and the clock. */
const unkept = new Map<string, ReadonlyMap<string, unknown>>()

for (const [way, keep] of Object.entries(WAYS)) {
  t.test(`${way}: what is shown at any time is as if nothing had been kept`, async (t) => {
    replace(t, Date, 'now', () => system)
    const folder = t.testdir()
    const shared = await start(t)
    /** Returns a mock in its first state. Those whose state nothing keeps are one. */
    const begin = async (state?: KeptState): Promise<Mock> => {
      if (state !== undefined) return start(t, state)
      await shared.reset()
      return shared
    }
    for (const life of Object.keys(LIVES)) {
      for (const [clock, setClock] of Object.entries(CLOCKS)) {
        const name = `${life}; ${clock}`
        system = SUBMITTED_AT
        const open = (): Promise<KeptState> | undefined =>
          OPEN[way.split(' ').at(-1) ?? '']?.(`${folder}/${name}`)
        const expected =
          unkept.get(name) ?? (await lookAround(await run(await begin(), life, setClock)))
        unkept.set(name, expected)
        system = SUBMITTED_AT
        Object.assign(globalThis, { indexedDB: new IDBFactory() })
        const first = await run(await begin(await open()), life, setClock)
        const kept = await keep(t, first, setClock, open as () => Promise<KeptState>)
        for (const [time, seen] of await lookAround(kept)) {
          const isEnd = time === 'first' && endedAhead(way, life, clock)
          t.same(seen, expected.get(isEnd ? 'at 60000' : time), `${name}; ${time}`)
        }
      }
    }
  })
}
