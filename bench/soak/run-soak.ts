/** The command `npm run soak`: sends random requests to a server, and checks that it is well after. */
import { mkdtemp, rm } from 'node:fs/promises'
import { Agent } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import { createRandom } from '@materials-mock/structures'
import { sendRequest } from '../clients/send-request.js'
import type { ServerCommand } from '../servers/server-command.js'
import { startServer } from '../servers/server-process.js'
import type { RunningServer } from '../servers/server-process.js'
import { defineSoaked } from './define-soaked.js'
import { MAX_RESPONSE_MS, SoakClients, describeSilence } from './soak-clients.js'
import { formatSoakReport, formatStateSigns } from './soak-report.js'
import { parseSoakSettings } from './soak-settings.js'
import { soakState } from './soak-state.js'
import { findGrowth, toVitalSigns } from './vital-signs.js'
import type { VitalSigns } from './vital-signs.js'

/** The share of the time in which the server warms up, before its memory is read first. */
const WARM_UP_SHARE = 0.2

/** The time in which the server closes the connections of clients that are gone, in ms. */
const SETTLE_MS = 2000

const { minutes, clients, seed, state } = parseSoakSettings(process.argv.slice(2))
const folder = await mkdtemp(join(tmpdir(), 'materials-mock-soak-'))
try {
  console.log(`${minutes} minutes, ${clients} clients, --seed ${seed}\n`)
  process.exitCode = state ? await killAgainAndAgain() : await soakOneServer()
} finally {
  await rm(folder, { recursive: true, force: true })
}
// Node else frees what is still open, and once did so without end, after sockets had been reset.
process.exit()

async function soakOneServer(): Promise<number> {
  const server = await startServer(await defineSoaked(folder, ['--query-budget=200']), [
    '--expose-gc',
  ])
  try {
    return await soak(server)
  } finally {
    await server.stop()
  }
}

/** Returns the exit code: 0 if the server has lost nothing. */
async function killAgainAndAgain(): Promise<number> {
  const stateFolder = join(folder, 'state')
  const definition = await defineSoaked(folder, [
    `--state=${stateFolder}`,
    '--query-budget=60000', // of a busy machine, too, so that no write is refused
  ])
  const { writes, signs, problems } = await soakState(
    definition,
    stateFolder,
    clients,
    createRandom(seed),
    minutes * 60_000,
  )
  console.log(`${writes} writes were answered, ${signs.length} times the server was killed\n`)
  console.log(`${formatStateSigns(signs)}\n`)
  console.log(problems.length === 0 ? 'ok' : ['FAILED', ...problems.slice(0, 20)].join('\n- '))
  return problems.length === 0 ? 0 : 1
}

/** Returns the exit code: 0 if the server is well. */
async function soak(server: RunningServer<ServerCommand>): Promise<number> {
  const soakClients = new SoakClients(server, clients, createRandom(seed))
  const milliseconds = minutes * 60_000
  const runAndRead = async (share: number): Promise<VitalSigns | undefined> => {
    await soakClients.run(milliseconds * share)
    return soakClients.problem === undefined ? readVitalSigns(server) : undefined
  }
  const before = await runAndRead(WARM_UP_SHARE)
  const after = before === undefined ? undefined : await runAndRead(1 - WARM_UP_SHARE)
  const { responses, internalErrors } = soakClients
  const silence = soakClients.problem ?? (await describeSilence(server))
  const problems = [
    ...(silence === undefined ? [] : [silence]),
    ...(silence === undefined && after === undefined ? ['the server refuses to be reset'] : []),
    ...(before === undefined || after === undefined ? [] : findGrowth(before, after)),
    ...internalErrors.map((request) => `INTERNAL_ERROR: ${request}`),
  ]
  const none = { resident: Number.NaN, used: Number.NaN, descriptors: undefined }
  console.log(formatSoakReport({ responses, before: before ?? none, after, problems }))
  return problems.length === 0 ? 0 : 1
}

/** Resets the server, and returns what it holds; undefined if it ended or does not respond. */
async function readVitalSigns(
  server: RunningServer<ServerCommand>,
): Promise<VitalSigns | undefined> {
  const agent = new Agent()
  const { origin, pid, getUsage } = server
  const snapshots = ['a', 'b', 'c'].map((name) => `/__admin/snapshots/${name}`)
  for (const path of snapshots)
    await sendRequest(agent, origin, { method: 'DELETE', path }, MAX_RESPONSE_MS)
  const reset = { method: 'POST', path: '/__admin/reset' }
  const { status } = await sendRequest(agent, origin, reset, MAX_RESPONSE_MS)
  if (status !== 200) return undefined
  await sleep(SETTLE_MS)
  await getUsage() // The first collection leaves what finalizers release.
  return toVitalSigns(pid, await getUsage())
}
