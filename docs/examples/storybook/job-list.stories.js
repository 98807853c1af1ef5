import { createJobList } from './job-list.js'
import { loadMock } from './mock.js'

const headers = { 'X-Account-Id': 'oEb32zJWy27miFESb', 'X-Auth-Token': 'demo-preferences-token' }

export default {
  title: 'Job list',
  loaders: [loadMock],
  args: { limit: 10 },
  render: ({ limit }, { loaded: { api } }) => createJobList({ api, headers, limit }),
}

export const Empty = { parameters: { scenario: 'empty account' } }

export const BusyQueue = { parameters: { scenario: 'busy queue' } }

export const Slow = { parameters: { scenario: 'slow platform' } }
