import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'

import type { Random } from '@materials-mock/structures'
import type { ServerCommand } from '../servers/server-command.js'
import { startServer } from '../servers/server-process.js'
import { chooseInteger } from './choose.js'
import { describeSilence } from './soak-clients.js'
import { toVitalSigns } from './vital-signs.js'
import type { VitalSigns } from './vital-signs.js'

/** The time between two kills, in ms. */
const KILL_MS = 20_000

/** The number of items that each client writes to. */
const ITEMS = 20

/** The numbers of elements that the arrays of written items have. */
const ARRAY_LENGTHS = [0, 3, 1000, 30_000]

const HEADERS = {
  'X-Account-Id': 'oEb32zJWy27miFESb',
  'X-Auth-Token': 'demo-preferences-token',
  'Content-Type': 'application/json',
}

/** A request that the server did not answer before it was killed. */
class Unanswered extends Error {}

/** What is known of an item, of a resource or of a snapshot, after the writes so far. */
interface Known {
  /** The value of the last write that was answered; undefined for what was deleted. */
  readonly answered: unknown
  /** Whether a later write was not answered, so that the value may be another one. */
  readonly isUncertain: boolean
}

/** What a server with `--state` holds when it is killed. */
export interface StateSigns extends VitalSigns {
  /** The size of the files in the folder of the state, in bytes. */
  readonly files: number
}

/** The result of a soak of the state. */
export interface StateSoakResult {
  readonly writes: number
  /** One for each kill. */
  readonly signs: readonly StateSigns[]
  /** Sentences about what was lost; empty if nothing was. */
  readonly problems: readonly string[]
}

/**
 * Lets clients write to a server with `--state`, kills it every 20 s, and checks after each restart
 * that it has all that was answered.
 * @param folder the folder of the state
 * @param milliseconds how long all of it takes, but for the last look
 */
export async function soakState(
  definition: ServerCommand,
  folder: string,
  clients: number,
  random: Random,
  milliseconds: number,
): Promise<StateSoakResult> {
  const known = new Map<string, Known>()
  const problems: string[] = []
  const signs: StateSigns[] = []
  let writes = 0
  let origin = ''

  async function send(method: string, path: string, body?: unknown): Promise<unknown> {
    const response = await fetch(origin + path, {
      method,
      headers: HEADERS,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }).catch(refuseAnswer)
    const answer = (await response.json().catch(refuseAnswer)) as { data: unknown }
    if (response.status === 404 && method === 'GET') return undefined
    if (response.status !== 200)
      problems.push(`${method} ${path} is answered ${response.status}: ${quote(answer.data)}`)
    return answer.data
  }

  /** Sends a write, and remembers what its answer says that the value at a path is from then on. */
  async function write(
    path: string,
    request: () => Promise<unknown>,
    toValue: (data: unknown) => unknown,
  ): Promise<void> {
    try {
      known.set(path, { answered: toValue(await request()), isUncertain: false })
      writes += 1
    } catch (error) {
      if (!(error instanceof Unanswered)) throw error
      known.set(path, { answered: known.get(path)?.answered, isUncertain: true })
      throw error
    }
  }

  const createItem = (): object => ({
    name: String(random()),
    values: Array.from(
      { length: ARRAY_LENGTHS[chooseInteger(random, ARRAY_LENGTHS.length)] as number },
      (_, index) => index ^ Math.floor(random() * 1000),
    ),
  })

  /** The client has its own items, so that it knows what they are after its last write. */
  async function act(client: number, ids: string[]): Promise<void> {
    const kind = chooseInteger(random, 20)
    const index = chooseInteger(random, ids.length)
    const path = `${API}/materials/${ids[index]}`
    if (ids.length < ITEMS) {
      const { _id } = (await send('PUT', `${API}/materials/create`, createItem())) as {
        _id: string
      }
      ids.push(_id)
      await write(
        `${API}/materials/${_id}`,
        () => send('PATCH', `${API}/materials/${_id}`, { name: 'new' }),
        same,
      )
    } else if (kind === 0) {
      ids.splice(index, 1)
      await write(
        path,
        () => send('DELETE', path),
        () => undefined,
      )
    } else if (kind === 1) {
      const name = `/__admin/snapshots/client-${client}-${chooseInteger(random, 3)}`
      await write(name, () => send('PUT', name), same)
    } else if (kind === 2 && client === 0) {
      const items = Array.from({ length: chooseInteger(random, 5000) }, (_, n) => ({
        ...createSmall(random),
        _id: `s${n}`,
      }))
      await write(
        '/__admin/fixtures/projects',
        () => send('PUT', '/__admin/fixtures/projects', items),
        () => items,
      )
    } else {
      const change = kind < 10 ? { $push: { values: random() } } : createItem()
      await write(path, () => send('PATCH', path, change), same)
    }
  }

  async function runClient(client: number, ids: string[], isOver: () => boolean): Promise<void> {
    try {
      while (!isOver()) await act(client, ids)
    } catch (error) {
      if (!(error instanceof Unanswered)) throw error
    }
  }

  /** Compares what the server has with what was answered. */
  async function check(): Promise<void> {
    const snapshots = (await send('GET', '/__admin/snapshots')) as { name: string }[]
    for (const [path, { answered, isUncertain }] of known) {
      const name = /snapshots\/(.+)/.exec(path)?.[1]
      const found =
        name === undefined
          ? await send('GET', path)
          : snapshots.find((snapshot) => snapshot.name === name)
      if (!isUncertain && !isDeepStrictEqual(found, answered))
        problems.push(`${path} was answered as ${quote(answered)}, and is ${quote(found)}`)
      if (found === undefined) known.delete(path)
      else known.set(path, { answered: found, isUncertain: false })
    }
  }

  const ids = Array.from({ length: clients }, (): string[] => [])
  const end = performance.now() + milliseconds
  while (performance.now() < end) {
    const server = await startServer(definition)
    origin = server.origin
    await check()
    let isOver = false
    const running = Promise.all(ids.map((each, client) => runClient(client, each, () => isOver)))
    const timer = new AbortController()
    const left = Math.max(end - performance.now(), 0)
    const until = sleep(Math.min(KILL_MS, left), 'kill', timer)
    const isKilled = (await Promise.race([until, running])) === 'kill'
    timer.abort()
    // All clients are left without an answer, though nobody has killed the server.
    if (!isKilled) {
      problems.push((await describeSilence(server)) ?? 'the server closed all connections')
      await server.stop('SIGKILL')
      return { writes, signs, problems }
    }
    const held = toVitalSigns(server.pid, await server.getUsage())
    signs.push({ ...held, files: measureFolder(folder) })
    await server.stop('SIGKILL')
    isOver = true
    await running
  }
  const server = await startServer(definition)
  origin = server.origin
  await check()
  await server.stop('SIGTERM')
  if (writes === 0) problems.push('no write was answered')
  return { writes, signs, problems }
}

const measureFolder = (folder: string): number =>
  readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0)

const API = '/api/2018-10-01'

const same = (data: unknown): unknown => data

const createSmall = (random: Random): object => ({
  name: String(random()),
  values: [random(), [random()]],
})

const refuseAnswer = (): never => {
  throw new Unanswered()
}

const quote = (value: unknown): string => (JSON.stringify(value) ?? 'undefined').slice(0, 200)
