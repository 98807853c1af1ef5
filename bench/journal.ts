/**
 * Measures what the journal costs: the CPU time of a server per request with 1,000 items, with the journal and without
 * it, in turns.
 *
 *     npm run measure:journal
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { Agent, get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { median } from './figures/median.js'
import { formatNumber, formatTable } from './figures/table.js'
import { startServer } from './servers/server-process.js'
import type { RunningServer } from './servers/server-process.js'
import type { ServerCommand } from './servers/server-command.js'
import { ACCOUNT, createData } from './workloads/data.js'

const ROUNDS = 12
const REQUESTS = 1500
const CONNECTIONS = 4

const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS })

const request = (
  { origin, definition }: RunningServer<ServerCommand>,
  path: string,
): Promise<void> =>
  new Promise((resolve, reject) => {
    get(
      `${origin}/api/2018-10-01/materials${path}`,
      { agent, headers: definition.headers },
      (response) => {
        if (response.statusCode !== 200) reject(new Error(`${path} answers ${response.statusCode}`))
        response.resume().once('end', resolve)
      },
    ).once('error', reject)
  })

/** Returns the CPU time of the server for a request, in µs. */
async function measure(server: RunningServer<ServerCommand>, path: string): Promise<number> {
  const before = await server.getUsage()
  const send = async (): Promise<void> => {
    for (let sent = 0; sent < REQUESTS / CONNECTIONS; sent += 1) await request(server, path)
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, send))
  const { cpu } = await server.getUsage()
  return (cpu.user + cpu.system - before.cpu.user - before.cpu.system) / REQUESTS
}

const toPath = (projection: object): string =>
  `?projection=${encodeURIComponent(JSON.stringify(projection))}`

const folder = await mkdtemp(join(tmpdir(), 'materials-mock-journal-'))
const data = await createData(folder, 1000)
const define = (...flags: readonly string[]): ServerCommand => ({
  name: ['ours', ...flags].join(' '),
  createArguments: (port) => [
    fileURLToPath(new URL('../dist/cli.cjs', import.meta.url)),
    '--port',
    String(port),
    '--log-level',
    'silent',
    '--fixtures',
    data.fixtures,
    ...flags,
  ],
  headers: { 'x-account-id': ACCOUNT._id, 'x-auth-token': ACCOUNT.tokens[0] },
  readyPath: '/api/2018-10-01/materials',
})
const servers = [await startServer(define()), await startServer(define('--journal', '0'))]
try {
  const [{ id, formula } = { id: '', formula: '' }] = data.summaries
  const work = {
    'list of 50': '',
    'sort, limit 50': toPath({ sort: { 'lattice.a': -1 }, limit: 50 }),
    equality: `?query=${encodeURIComponent(JSON.stringify({ formula }))}`,
    'item by id': `/${id}`,
  }
  const rows: string[][] = []
  for (const [name, path] of Object.entries(work)) {
    const spent = servers.map((): number[] => [])
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const [index, server] of servers.entries())
        spent[index]!.push(await measure(server, path))
    }
    // The first rounds are those in which V8 compiles.
    rows.push([name, ...spent.map((each) => formatNumber(median(each.slice(4))))])
  }
  console.log(formatTable(['work (µs)', 'with the journal', 'with --journal 0'], rows))
} finally {
  agent.destroy()
  await Promise.all(servers.map((server) => server.stop()))
  await rm(folder, { recursive: true })
}
