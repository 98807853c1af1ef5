import t from 'tap'

import { formatLogLine } from '../../../src/server/log/format-log-line.js'
import { LogDestination, createLogStream } from '../../../src/server/log/log-stream.js'
import { build, send, waitFor } from '../../helpers/build.js'

/** A log whose writes a test decides: each takes the next of these errors or numbers of bytes. */
function createLog(results: (string | number)[]) {
  let written = ''
  let calls = 0
  const destination = new LogDestination((bytes) => {
    calls += 1
    const result = results.shift() ?? bytes.length
    if (typeof result === 'string') throw Object.assign(new Error(result), { code: result })
    written += bytes.subarray(0, result)
    return Math.min(result, bytes.length)
  })
  return { destination, written: () => written, calls: () => calls }
}

t.test('a log of JSON has no control characters either', async (t) => {
  const { destination, written } = createLog([])
  createLogStream('json', destination).write(`${JSON.stringify({ msg: 'a\u009b31m\u001b' })}\n`)
  t.equal(written(), '{"msg":"a\\u009b31m\\u001b"}\n')
})

t.test('a line that can not be written is lost, and the next one is written', async (t) => {
  for (const code of ['ENOSPC', 'EPIPE', 'EIO', 'EBADF']) {
    const { destination, written, calls } = createLog([code])
    destination.write('one\n')
    destination.write('two\n')
    t.equal(written(), 'two\n', code)
    t.equal(calls(), 2, 'one write for each line')
  }
})

t.test('a line that is written in parts is written whole', async (t) => {
  const { destination, written } = createLog([2, 1])
  destination.write('one\n')
  t.equal(written(), 'one\n')
})

t.test('lines wait for a slow reader, in their order', async (t) => {
  const { destination, written, calls } = createLog(['EAGAIN', 2, 'EAGAIN'])
  destination.write('one\n')
  destination.write('two\n')
  t.equal(calls(), 1, 'a full pipe is not tried again for each line')
  await waitFor(() => written() === 'one\ntwo\n')
  t.equal(written(), 'one\ntwo\n')
})

t.test('lines beyond 1 MiB that wait are lost', async (t) => {
  const { destination, written } = createLog(['EAGAIN'])
  for (let count = 0; count < 2000; count += 1) destination.write('x'.repeat(1024))
  await waitFor(() => written() !== '')
  t.equal(written().length, 1024 * 1024)
})

t.test('the log line of a request has no secret', async (t) => {
  const { calls } = t.capture(LogDestination.prototype, 'write', () => undefined)
  const app = await build(t, { fixtures: { materials: [] }, logLevel: 'info' })
  await send(app, '/login?password=hunter2')
  await send(app, '/materials?query=%7B%22pass%77ord%22%3A%22hunter2%22%7D')
  const lines = calls.map(({ args }) => String((args as unknown[])[0]))
  t.equal(lines.length, 2)
  for (const line of lines) {
    t.match(line, '***')
    t.notMatch(line, 'hunter2')
  }
})

t.test('the log for a person has one line a request, with the decoded query', async (t) => {
  const { calls } = t.capture(LogDestination.prototype, 'write', () => undefined)
  const app = await build(t, { logLevel: 'info', logFormat: 'text' })
  await send(app, `/materials?query=${encodeURIComponent('{"name": "é"}')}&projection=%7B+%7D`)
  await send(app, '/materials', { headers: { prefer: 'code=503' } })
  app.log.warn('two\nlines')
  const lines = calls.map(({ args }) => String((args as unknown[])[0]))
  t.match(
    lines[0],
    /^\d\d:\d\d:\d\d GET    \/api\S+materials\?query={"name": "é"}&projection={ } 401 [\d.]+ ms\n$/,
  )
  t.match(lines[1], /materials 503 [\d.]+ ms fault: status 503\n$/)
  t.match(lines[2], / warn two\nlines\n$/)
})

const format = (fields: object, hasColours = false): string =>
  formatLogLine(JSON.stringify({ level: 30, time: 0, ...fields }), hasColours).slice(9)

const request = (url: string, status = 200, fault?: object): object => ({
  request: { method: 'GET', url, status, ms: 1.5, fault },
})

t.test('a log line for a person escapes controls, and has colours on demand', async (t) => {
  const cases: [fields: object, line: string][] = [
    [request('/a%20b?c=%7B%7D'), 'GET    /a b?c={} 200 1.5 ms\n'],
    [request('/%zz?+'), 'GET    /%zz?+ 200 1.5 ms\n'],
    [request('/%1b[2J%0a'), 'GET    /\\u001b[2J\\u000a 200 1.5 ms\n'],
    [request(`/${'x'.repeat(1000)}`), `GET    /${'x'.repeat(399)}… 200 1.5 ms\n`],
    [request('/', 500, { rule: '2', delay: 5 }), 'GET    / 500 1.5 ms fault: delay 5, rule 2\n'],
    [
      { level: 50, msg: 'a\u001b', err: { stack: 'Error: b\u001b' } },
      'error a\\u001b \nError: b\\u001b\n',
    ],
    [{ msg: 'reloaded' }, 'reloaded\n'],
  ]
  for (const [fields, line] of cases) t.equal(format(fields), line)
  for (const [status, code] of [
    [200, 32],
    [304, 36],
    [404, 33],
    [500, 31],
  ] as const)
    t.match(format(request('/', status), true), `\u001B[${code}m${status}\u001B[0m`)
})
