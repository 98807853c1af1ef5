import t from 'tap'

import { createRandom } from '@materials-mock/structures'
import { completeWorkflow } from '../../../src/resources/seeding/complete-workflow.js'

const ACCOUNT = { _id: 'ann', slug: 'ann' }

const CONTEXT = {
  resource: 'workflows',
  index: 0,
  jobDuration: 0,
  seed: 1,
  now: 0,
  random: createRandom(1),
  account: ACCOUNT,
  accounts: [ACCOUNT],
}

t.test('a workflow with very many properties is completed', async (t) => {
  // Comparing each property with each other one would take minutes.
  const names = Array.from({ length: 500_000 }, (_, index) => `property ${index}`)
  const subworkflows = [{ _id: 's', properties: names }, { properties: names.slice(0, 9) }]
  const properties = names.toReversed()
  const completed = completeWorkflow({ subworkflows, properties }, CONTEXT)
  t.equal(completed.properties, properties)
  t.throws(
    () =>
      completeWorkflow({ subworkflows: [{ properties: ['a', 'b'] }], properties: ['c'] }, CONTEXT),
    { code: 'BODY_INVALID', message: /which have a, b, not "c"/ },
  )
})
