import t from 'tap'

import { LogDestination } from '../../../src/plugins/log/log-destination.js'
import { build, send, waitFor } from '../../build.js'

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
