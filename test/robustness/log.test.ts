import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, openSync } from 'node:fs'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'

import t from 'tap'
import type { Test } from 'tap'

import { waitFor } from '../helpers/build.js'
import { COMMAND } from '../helpers/command.js'

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

/** Starts the command with these standard streams. Resolves when it listens. */
async function start(t: Test, stdout: number | 'pipe', stderr: number | 'pipe') {
  const port = await findFreePort()
  const argv = [COMMAND, '--port', String(port), '--log-level', 'info']
  const child = spawn(process.execPath, argv, { stdio: ['ignore', stdout, stderr] })
  t.teardown(() => child.kill('SIGKILL'))
  const ended = once(child, 'exit').then(([code]) => code as number | null)
  for (const stream of [child.stdout, child.stderr]) stream?.destroy() // a reader that is gone
  const getStatus = () =>
    fetch(`http://127.0.0.1:${port}/api/2018-10-01/materials`).then(
      ({ status }) => status,
      () => undefined,
    )
  await waitFor(async () => child.exitCode !== null || (await getStatus()) !== undefined)
  return { child, ended, getStatus }
}

t.test('a server goes on and ends in order although its log can not be written', async (t) => {
  const isFullAvailable = existsSync('/dev/full')
  const full = isFullAvailable ? openSync('/dev/full', 'w') : 'pipe'
  for (const [stdout, stderr] of [
    [full, full],
    ['pipe', 'pipe'],
  ] as const) {
    const { child, ended, getStatus } = await start(t, stdout, stderr)
    for (let count = 0; count < 3; count += 1) t.equal(await getStatus(), 401)
    child.kill('SIGTERM')
    t.equal(await ended, 0)
  }
})

t.test('a signal that comes with the first answer ends the server in order', async (t) => {
  for (let count = 0; count < 3; count += 1) {
    const { child, ended } = await start(t, 'pipe', 'pipe')
    child.kill('SIGTERM')
    t.equal(await ended, 0)
  }
})

t.test('an artificial fault of the process ends it', async (t) => {
  const { child } = await start(t, 'pipe', 'pipe')
  const ended = once(child, 'exit')
  child.kill('SIGSEGV')
  t.same(await ended, [null, 'SIGSEGV'])
})
