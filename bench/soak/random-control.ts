import type { Random } from '@materials-mock/structures'
import type { OutgoingRequest } from '../clients/send-request.js'
import { choose, chooseInteger, chooseWeighted } from './choose.js'
import { createProjection, createQuery } from './random-query.js'

const ADMIN = '/__admin'

/** Returns a request to the controls. Each fault that it adds applies to a few requests. */
export function createControl(random: Random): OutgoingRequest {
  const snapshot = `${ADMIN}/snapshots/${choose(random, ['a', 'b', 'c'])}`
  const query = new URLSearchParams({ query: JSON.stringify(createQuery(random)) })
  const projection = new URLSearchParams({ projection: JSON.stringify(createProjection(random)) })
  const resource = choose(random, ['materials', 'jobs', 'nothing'])
  return chooseWeighted<() => OutgoingRequest>(random, [
    [6, () => createFault(random)],
    [2, () => ({ method: 'DELETE', path: `${ADMIN}/faults` })],
    [1, () => ({ method: 'DELETE', path: `${ADMIN}/faults/${chooseInteger(random, 100)}` })],
    [1, () => ({ method: 'GET', path: `${ADMIN}/faults` })],
    [1, () => ({ method: 'POST', path: `${ADMIN}/reset` })],
    [1, () => ({ method: 'PUT', path: snapshot })],
    [1, () => ({ method: 'POST', path: `${snapshot}/restore` })],
    [1, () => ({ method: 'DELETE', path: snapshot })],
    [1, () => ({ method: 'GET', path: `${ADMIN}/snapshots` })],
    [2, () => ({ method: 'GET', path: `${ADMIN}/health` })],
    [3, () => ({ method: 'GET', path: `${ADMIN}/requests?${query}&${projection}` })],
    [1, () => ({ method: 'GET', path: `${ADMIN}/requests/count?${query}` })],
    [1, () => ({ method: 'DELETE', path: `${ADMIN}/requests` })],
    [2, () => ({ method: 'GET', path: `${ADMIN}/explain/${resource}?${query}&${projection}` })],
  ])()
}

const createFault = (random: Random): OutgoingRequest => ({
  method: 'POST',
  path: `${ADMIN}/faults`,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({
    times: 1 + chooseInteger(random, 3),
    ...(random() < 0.5 && {
      path: choose(random, [
        '/api/*/materials',
        '/api/**',
        '/api/**/*a*e*i*s',
        '/nowhere',
        '/api/%',
      ]),
    }),
    ...(random() < 0.2 && { method: choose(random, ['GET', 'PATCH', 'NO']) }),
    ...(random() < 0.2 && { after: chooseInteger(random, 5) }),
    ...choose<object>(random, [
      { status: 503 },
      { status: 429, retryAfter: 2 },
      { status: 700 },
      { delay: 20 },
      { delay: { min: 1, max: 30 } },
      { drop: 'reset' },
      { drop: 'truncate' },
      { drop: 'truncate', status: 500 },
      { drop: 'hang' },
      {},
    ]),
  }),
})
