import assert from 'node:assert/strict'

import { startMock } from 'materials-mock'

// Cypress runs `setupNodeEvents` in a process of Node. A task has one argument and returns a value,
// both as JSON, and never undefined.
let mock
const TASKS = {
  startMock: async (options) => {
    mock = await startMock(options)
    return mock.url
  },
  addFault: (fault) => mock.faults.add(fault),
  requests: (query) => mock.requests(query ?? {}),
  reset: () => (mock.reset(), null),
  closeMock: async () => (await mock.close(), null),
}
const task = async (name, argument) => {
  const input = argument === undefined ? undefined : JSON.parse(JSON.stringify(argument))
  const output = await TASKS[name](input)
  assert.notEqual(output, undefined, name)
  assert.deepEqual(JSON.parse(JSON.stringify(output)), output, name)
  return output
}

const url = await task('startMock', { fixtures: { materials: [{ _id: 'm1', formula: 'Si' }] } })
const { _id } = await task('addFault', { status: 503, times: 1 })
assert.equal((await fetch(`${url}/api/2018-10-01/materials`)).status, 503)
const [request] = await task('requests', { status: 503 })
assert.equal(request.fault.rule, _id)
await task('reset')
assert.deepEqual(await task('requests'), [])
await task('closeMock')
await assert.rejects(fetch(url))
