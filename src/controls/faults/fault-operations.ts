import { BoundExceeded, FaultNotFound } from '../../errors.js'
import { defineOperation } from '../control.js'

export const faultOperations = [
  defineOperation('GET /faults', 'faults-list', 'List the fault rules', {
    description: 'The rules in the order in which they were added, with the numbers of matches.',
    ignoresJobs: true,
    run: ({ sandbox }) => sandbox.faults.list(),
  }),
  defineOperation('POST /faults', 'faults-add', 'Add a fault rule', {
    description: 'The first rule that matches a request under `/api` applies.',
    errors: [new BoundExceeded('there must be at most 200 fault rules; remove some first')],
    run: ({ sandbox, body }) => sandbox.faults.add(body),
  }),
  defineOperation('DELETE /faults', 'faults-clear', 'Remove all fault rules', {
    description: 'From then on, requests are answered as usual.',
    run: ({ sandbox }) => sandbox.faults.clear(),
  }),
  defineOperation('DELETE /faults/:id', 'faults-remove', 'Remove a fault rule', {
    description: 'Other rules stay.',
    errors: [new FaultNotFound('1')],
    run: ({ sandbox, params }) => sandbox.faults.remove(params.id),
  }),
]
