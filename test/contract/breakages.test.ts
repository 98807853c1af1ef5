import t from 'tap'

import { STATEMENTS } from '../../src/contract/statements/statements.js'
import { BREAKAGES } from './breakages.js'
import { breakFetch } from './broken-server.js'
import { checkMock, idsOf, startDataSet } from './check-mock.js'
import { DATA_SETS, SHIPPED } from './data-sets.js'

t.test('no breakage of a server is missed', async (t) => {
  // If all lists are read, a server that ignores the query is one with migrated lists.
  const lists = 'documented'
  const mocks = {
    shipped: await startDataSet(t, SHIPPED, { lists }),
    exotic: await startDataSet(t, DATA_SETS.exotic ?? SHIPPED, { lists }),
  }
  t.ok(BREAKAGES.length > 100)
  for (const { name, statement, dataSet = 'shipped', create } of BREAKAGES) {
    const mock = mocks[dataSet as keyof typeof mocks]
    mock.reset()
    const fetch = breakFetch(mock.fetch, create())
    const report = await checkMock(mock, DATA_SETS[dataSet] ?? SHIPPED, { fetch, id: statement })
    t.same(idsOf(report, 'failed'), [statement], `a server that ${name}`)
  }
})

t.test('every breakage is of a statement that there is', async (t) => {
  const ids = new Set(STATEMENTS.map(({ id }) => id))
  const unknown = BREAKAGES.filter(({ statement }) => !ids.has(statement))
  t.same(unknown, [])
})
