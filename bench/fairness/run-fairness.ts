import { once } from 'node:events'
import { Agent, createServer } from 'node:http'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import { sendRequest } from '../clients/send-request.js'
import { startWorker } from '../clients/worker.js'
import type { Worker } from '../clients/worker.js'
import { MEASURE_TURNS, startServer } from '../servers/server-process.js'
import type { RunningServer } from '../servers/server-process.js'
import { defineOurs } from '../servers/servers.js'
import type { Settings } from '../throughput/settings.js'
import type { Data } from '../workloads/data.js'
import { BASE } from '../workloads/our-path.js'
import type { AttackJob, AttackResult } from './attack.js'
import type { CostlyWork, Target } from './costly-work.js'
import { createCostlyWork } from './create-costly-work.js'
import { formatFairnessReport } from './fairness-report.js'
import type { FairnessRow } from './fairness-report.js'
import { PROBE_INTERVAL } from './probe-interval.js'
import type { ProbeJob, ProbeResult } from './probe.js'
import { summarizeWaits } from './waits.js'

interface Clients {
  readonly attack: Worker<AttackJob, AttackResult>
  readonly probe: Worker<ProbeJob, ProbeResult>
}

/** The server with its flags, which a kind of work can share with the kind before it. */
interface CurrentServer {
  readonly server: RunningServer
  readonly flags: readonly string[]
}

/**
 * Measures how long another client waits while twenty clients ask for costly work, one kind of work
 * after another, and returns a report in Markdown.
 */
export async function runFairness(
  data: Data,
  { seconds, work }: Pick<Settings, 'seconds' | 'work'>,
): Promise<string> {
  const ids = data.summaries.slice(0, MAX_IDS).map(({ id }) => id)
  const target = { count: data.count, ids }
  const clients: Clients = {
    attack: startWorker(new URL('attack.ts', import.meta.url)),
    probe: startWorker(new URL('probe.ts', import.meta.url)),
  }
  const rows: FairnessRow[] = []
  const kinds = createCostlyWork(target).filter(({ name }) =>
    work.some((text) => name.includes(text)),
  )
  const upstream = await startUpstream(kinds.find((kind) => kind.upstream !== undefined)?.upstream)
  const { port } = upstream.address() as AddressInfo
  let current: CurrentServer | undefined
  try {
    for (const kind of kinds) {
      const record = join(data.fixtures, '..', 'recorded')
      const flags = [
        ...(kind.flags ?? []),
        ...(kind.upstream === undefined
          ? []
          : [`--upstream=http://127.0.0.1:${port}`, `--upstream-record=${record}`]),
      ]
      current = await prepareServer(current, flags, data)
      rows.push(await measure(current.server, kind, target, clients, seconds))
      process.stderr.write(`${kind.name}: ${rows.at(-1)?.busy.longest.toFixed(0)} ms\n`)
    }
  } finally {
    clients.attack.stop()
    clients.probe.stop()
    upstream.close()
    await current?.server.stop()
  }
  return formatFairnessReport(data.count, rows)
}

/** The number of items that the other client asks for. */
const MAX_IDS = 1000

/** The share of the seconds of a turn in which the other client is alone. */
const IDLE_SHARE = 0.25

/** The time after the work in which the other client still asks, in ms. */
const AFTER_MS = 500

/** The time that a reset may take, in ms. A server that takes longer is replaced. */
const RESET_MS = 30_000

/** Returns the same server after a reset; a new one if the old one has other flags or is stuck. */
async function prepareServer(
  current: CurrentServer | undefined,
  flags: readonly string[],
  data: Data,
): Promise<CurrentServer> {
  if (current?.flags.join() === flags.join() && (await reset(current.server))) return current
  await current?.server.stop()
  return { server: await startServer(defineOurs(data, flags), MEASURE_TURNS), flags }
}

/** Starts a deployment that responds to all requests with one text. */
async function startUpstream(text = ''): Promise<Server> {
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'application/json').end(text)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return server
}

/** Resets a server; returns whether it succeeded. */
async function reset({ origin }: RunningServer): Promise<boolean> {
  const agent = new Agent()
  const request = { method: 'POST', path: '/__admin/reset' }
  const { status } = await sendRequest(agent, origin, request, RESET_MS)
  return status === 200
}

async function measure(
  server: RunningServer,
  { name }: CostlyWork,
  target: Target,
  { attack, probe }: Clients,
  seconds: number,
): Promise<FairnessRow> {
  const { origin, definition, describeExit, getUsage } = server
  const job = { origin, headers: definition.headers, target, work: name, seconds }
  const prepared = await attack.send({ ...job, step: 'prepare' })
  const failure = Object.keys(prepared).find((status) => !status.startsWith('2'))
  if (failure !== undefined) throw new Error(`the preparation of "${name}" got ${failure}`)
  // The other client asks for items that the work does not change.
  const start: ProbeJob = {
    step: 'start',
    origin,
    headers: definition.headers,
    path: BASE,
    ids: target.ids.slice(target.ids.length / 2),
  }
  await probe.send(start)
  await sleep(seconds * 1000 * IDLE_SHARE)
  const idle = await probe.send({ step: 'stop' })
  await probe.send(start)
  await getUsage()
  const responses = await attack.send({ ...job, step: 'attack' })
  await sleep(AFTER_MS)
  const { latencies, failures } = await probe.send({ step: 'stop' })
  const exit = describeExit()
  return {
    name,
    idle: summarizeWaits(idle.latencies, PROBE_INTERVAL),
    busy: summarizeWaits(latencies, PROBE_INTERVAL),
    responses,
    failures,
    exit,
    longestTurn: exit === undefined ? (await getUsage()).longestTurn : undefined,
  }
}
