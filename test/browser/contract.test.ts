import t from 'tap'

import { STATEMENTS } from '@materials-mock/check'
import type { Report } from '@materials-mock/check'
import { skipReason } from '../helpers/browser.js'
import { ABSENT, idsOf } from '../check/check-mock.js'
import { ACCOUNT, DATA_SETS } from '../check/data-sets.js'
import { openTab } from './open-tab.js'

t.test('the contract holds in a tab', { skip: skipReason() }, async (t) => {
  const { page, errors } = await openTab(t)
  const held = new Set<string>()
  for (const [name, { resource, fixtures }] of Object.entries(DATA_SETS)) {
    const { username, password } = fixtures ? ACCOUNT : { username: 'demo', password: 'demo' }
    const given = fixtures && { accounts: [{ ...ACCOUNT, tokens: ['ann-token'] }], ...fixtures }
    const parameters = [{ username, password }, resource].map((each) => JSON.stringify(each))
    const report: Report = await page.evaluate(
      `tab.check({ fixtures: ${JSON.stringify(given) ?? 'shipped'} }, ${parameters.join(', ')})`,
    )
    const failed = report.statements.filter(
      ({ outcome, level }) =>
        outcome === 'failed' && (fixtures === undefined || level !== 'schema'),
    )
    t.same(failed, [], name)
    for (const id of idsOf(report, 'held')) held.add(id)
  }
  t.same(
    STATEMENTS.filter(({ id }) => !held.has(id) && !ABSENT.test(id)).map(({ id }) => id),
    [],
  )
  t.same(errors, [])
})
