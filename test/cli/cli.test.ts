import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, openSync, readFileSync } from 'node:fs'
import { chmod } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import type { Readable } from 'node:stream'

import t from 'tap'
import type { Test } from 'tap'

import { parseCommand } from '../../src/cli/commands.js'
import { startMock } from '../../src/mock/start-mock.js'
import { waitFor } from '../helpers/build.js'
import { COMMAND } from '../helpers/command.js'

/** A process that runs the command. */
interface CommandProcess {
  readonly child: ReturnType<typeof spawn>
  /** Resolves to the output so far, when it contains the text. */
  readonly waitForOutput: (text: string) => Promise<string>
  readonly ended: Promise<{ code: number | null; output: string; errors: string }>
}

/** Runs the command. */
function run(
  t: Test,
  argv: string[],
  environment: Record<string, string> = {},
  channel: 'ipc' | 'ignore' = 'ignore',
): CommandProcess {
  const child = spawn(process.execPath, [COMMAND, ...argv], {
    env: { PATH: process.env.PATH, ...environment },
    stdio: ['ignore', 'pipe', 'pipe', channel],
  })
  t.teardown(() => child.kill('SIGKILL'))
  let [output, errors] = ['', '']
  child.stdout?.on('data', (chunk) => (output += chunk))
  child.stderr?.on('data', (chunk) => (errors += chunk))
  const ended = once(child, 'close').then(([code]) => ({ code, output, errors }))
  return {
    child,
    ended,
    waitForOutput: async (text) => {
      while (!output.includes(text)) {
        const end = await Promise.race([
          once(child.stdout as Readable, 'data').then(() => undefined),
          ended,
        ])
        if (end !== undefined)
          throw new Error(`the process ended before it printed ${text}: ${errors}`)
      }
      return output
    },
  }
}

t.test('a start prints the address, the accounts and the resources', async (t) => {
  const fixtures = t.testdir({
    'accounts.json': '[{"_id": "a", "username": "ann", "password": "x"}]',
    'materials.json': '[{"_id": "m"}, {"_id": "n"}]',
  })
  const log = ['--log-level', 'info'] // as on a terminal
  const { child, waitForOutput, ended } = run(t, ['--port', '0', '--fixtures', fixtures, ...log])
  const text = await waitForOutput('Ctrl+C')
  t.match(text, /^materials-mock [\d.]+ is running\n/, 'no line of the log comes before')
  const base = /API +(http:\/\/127\.0\.0\.1:\d+\/api\/2018-10-01)\n/.exec(text)?.[1] ?? ''
  const url = new URL(base).origin
  t.match(text, `browser    ${url}/ for a page of the data, ${url}/explorer to try requests`)
  t.match(text, 'log in as  ann / x')
  t.match(text, `serves     materials (2) from ${fixtures}`)
  t.match(text, `controls   ${url}/__admin: `)
  t.match(text, 'stop       Ctrl+C')
  t.equal((await fetch(`${base}/materials`)).status, 401)
  t.match(
    await waitForOutput('/2018-10-01/materials'),
    /Ctrl\+C\n[\d:]+ GET +\/api\/2018-10-01\/materials 401/,
    'the log has the same format',
  )
  child.kill('SIGTERM')
  t.match(await ended, { code: 0, errors: '' })
})

t.test('with --log-format json, the banner is a line of the log', async (t) => {
  for (const level of ['info', 'silent']) {
    const flags = ['--port', '0', '--log-format', 'json', '--log-level', level]
    const { child, waitForOutput, ended } = run(t, flags)
    const text = await waitForOutput(`Ctrl+C"}`)
    const lines = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    t.match(lines.at(-1), {
      level: 30,
      address: /^http:/,
      msg: /^materials-mock [\d.]+ is running\n/,
    })
    child.kill('SIGTERM')
    t.match(await ended, { code: 0, errors: '' })
  }
})

t.test('SIGINT closes the server; an environment variable sets an option', async (t) => {
  const { child, waitForOutput, ended } = run(t, [], { MATERIALS_MOCK_PORT: '0' })
  t.match(await waitForOutput('Ctrl+C'), 'from the shipped fixtures')
  child.kill('SIGINT')
  t.match(await ended, { code: 0, errors: '' })
})

t.test('--stop-with-stdin ends the server with standard input', async (t) => {
  const child = spawn(process.execPath, [COMMAND, '-p', '0', '--stop-with-stdin'])
  t.teardown(() => child.kill('SIGKILL'))
  await once(child.stdout, 'data')
  t.equal(child.exitCode, null)
  child.stdin.end()
  t.same(await once(child, 'exit'), [0, null])
})

t.test('an incomplete request does not delay the end of the process', async (t) => {
  const { child, waitForOutput, ended } = run(t, ['-p', '0'])
  const port = /:(\d+)\//.exec(await waitForOutput('Ctrl+C'))?.[1]
  const socket = connect(Number(port), '127.0.0.1').resume()
  t.teardown(() => socket.destroy())
  socket.write(
    'POST /api/2018-10-01/login HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\n' +
      'Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 27\r\n\r\nusername',
  )
  await once(socket, 'data') // 100 Continue: the server has read the headers
  child.kill('SIGTERM')
  t.match(await ended, { code: 0, errors: '' })
})

t.test('--help and --version print and exit', async (t) => {
  t.match(await run(t, ['--help']).ended, {
    code: 0,
    output: /-p, --port PORT.*--query-budget MS/s,
  })
  t.match(await run(t, ['--version']).ended, { code: 0, output: /^\d+\.\d+\.\d+\n$/ })
  for (const word of ['help', '-h', '--help'])
    t.same(parseCommand([word], {}), { kind: 'help', options: 'serve' }, word)
  t.same(parseCommand(['help', 'check'], {}), { kind: 'help', options: 'check' })
  for (const word of ['-v', '--version'])
    t.same(parseCommand([word], {}), { kind: 'version' }, word)
})

t.test('a failed start exits with code 1 and a message of one line, without a stack', async (t) => {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  t.teardown(() => other.close())
  const port = String((other.address() as AddressInfo).port)
  const wrongFixtures = t.testdir({ 'materials.json': '[{"_id": "m", "name": 5}]' })
  const cases: [argv: string[], message: string][] = [
    [['--prot', '1'], "Unknown option '--prot'"],
    [
      ['--port', port],
      `port ${port} of 127.0.0.1 is taken; give another --port, or 0 for a free port`,
    ],
    [
      ['--fixtures', '/nowhere/at/all'],
      "give a folder or a file of fixtures; /nowhere/at/all can't be read: it does not exist",
    ],
    [['--fixtures', '/dev/null'], 'give a folder or a file of fixtures; /dev/null is neither'],
    [['--fixtures', wrongFixtures], 'item 1 (_id "m"): name must be a string, not 5'],
  ]
  for (const [argv, message] of cases) {
    const { code, output, errors } = await run(t, argv).ended
    t.equal(code, 1, argv.join(' '))
    t.equal(output, '')
    t.match(errors, message)
    t.match(errors, /^materials-mock: .*\n$/)
  }
  for (const [argv, message] of [
    [['db.json'], /use --fixtures db\.json to serve a folder or a file of fixtures/],
    [['--port', 'x'], /--port must be an integer from 0 to 65535, not "x"/],
  ] as const)
    t.throws(() => parseCommand(argv, {}), { code: 'OPTIONS_INVALID', message })
})

t.test('a start that fails ends, though its parent holds a channel open', async (t) => {
  const folder = t.testdir({
    'materials.json': '[]',
    'scenarios.json': '{"broken": {"faults": [{"status": 1}]}}',
    'listener.cjs': "process.on('message', () => {})",
  })
  const environment = { NODE_OPTIONS: `--require=${folder}/listener.cjs` }
  const options = ['--fixtures', folder, '--port', '0']
  const { ended, child } = run(t, options, environment, 'ipc')
  const { code, output, errors } = await ended
  t.equal(code, 1)
  t.equal(output, '')
  t.match(errors, /^materials-mock: .*scenarios\.json, scenario "broken": .*\n$/)
  t.equal(child.signalCode, null)
})

t.test('a command ends without a stack if its output can not be written', async (t) => {
  const mock = await startMock({ fixtures: { materials: [] } })
  t.teardown(() => mock.close())
  const base = `${mock.url}/api/2018-10-01`
  for (const [argv, code] of [
    [['--help'], 0],
    [['footprint', mock.url], 0],
    [['check', base, '--username', 'demo', '--password', 'demo', '--quiet'], 0],
    [['check', base, '--username', 'demo', '--password', 'wrong'], 2],
  ] as const) {
    const { child, ended } = run(t, [...argv])
    for (const stream of [child.stdout, child.stderr]) stream?.destroy() // a reader that is gone
    t.match(await ended, { code }, argv.join(' '))
  }
  if (!existsSync('/dev/full')) return
  const full = openSync('/dev/full', 'w')
  const { status, stderr } = spawnSync(process.execPath, [COMMAND, 'generate', '--count', '1'], {
    stdio: ['ignore', full, 'pipe'],
    encoding: 'utf8',
  })
  t.equal(status, 1)
  t.match(stderr, /^materials-mock: give another place for the output; .*: ENOSPC.*\n$/)
})

t.test('--open opens the page; what can not be opened is a line with the URL', async (t) => {
  const folder = t.testdir({ 'xdg-open': '#!/bin/sh\necho "$@" > "$0.called"\n' })
  await chmod(`${folder}/xdg-open`, 0o755)
  for (const [path, shown] of [
    [`${folder}:${process.env.PATH}`, undefined],
    ['/nowhere', /open http:\S+ in a browser; xdg-open can't be run/],
  ] as const) {
    const { child, waitForOutput, ended } = run(t, ['-p', '0', '--open'], { PATH: path })
    const text = await waitForOutput('Ctrl+C')
    const url = /browser +(\S+)\/ /.exec(text)?.[1]
    if (shown !== undefined) {
      await waitForOutput('xdg-open')
    } else {
      const read = () => readFileSync(`${folder}/xdg-open.called`, 'utf8').trim()
      await waitFor(() => existsSync(`${folder}/xdg-open.called`) && read() !== '')
      t.equal(read(), url)
    }
    child.kill('SIGTERM')
    t.match(await ended, { code: 0, ...(shown !== undefined && { output: shown }) })
  }
})
