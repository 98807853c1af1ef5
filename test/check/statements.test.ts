import t from 'tap'

import { STATEMENTS } from '@materials-mock/check'
import { ABSENT, checkMock, groupOf, idsOf, startDataSet } from './check-mock.js'
import { DATA_SETS, SHIPPED } from './data-sets.js'

/** The statements that the shipped fixtures lack values for. */
const SKIPPED_WITH_SHIPPED = [
  'query.unicode',
  'query.mod',
  'projection.sort-types',
  ...STATEMENTS.map(({ id }) => id).filter((id) => ABSENT.test(id)),
]

/** The statements on what migrated lists drop. */
const SKIPPED_WITH_MIGRATED = STATEMENTS.map(({ id }) => id).filter((id) =>
  /^envelope\.error-details$|^query\.other-parameters$|^projection\.(fields-|not-json|key-unknown|empty-parameter|sort-(several|direction|text)|limit-(zero|text|fraction|501-message)|skip-negative)/.test(
    id,
  ),
)

t.test('every statement has a stable id, and a sentence of its own', async (t) => {
  const ids = STATEMENTS.map(({ id }) => id)
  t.same(ids, [...new Set(ids)])
  const groups = [
    'login',
    'auth',
    'envelope',
    'paths',
    'query',
    'projection',
    'schema',
    'write',
    'logout',
  ]
  t.same([...new Set(ids.map(groupOf))], groups)
  const odd = STATEMENTS.filter(
    ({ id, title }) =>
      !/^[a-z]+\.([a-z0-9]+(-[a-z0-9]+)*|[a-z-]+(\.\w+)+)$/.test(id) || !/^.{15,}[^.]$/.test(title),
  )
  t.same(odd, [])
  t.equal(new Set(STATEMENTS.map(({ title }) => title)).size, ids.length)
})

t.test('no statement fails on any data, and each holds on some', async (t) => {
  const held = new Set<string>()
  for (const [name, dataSet] of Object.entries(DATA_SETS)) {
    const mock = await startDataSet(t, dataSet)
    const report = await checkMock(mock, dataSet)
    t.same(
      report.statements.filter(
        ({ outcome, level }) => outcome === 'failed' && (name === 'shipped' || level !== 'schema'),
      ),
      [],
      name,
    )
    for (const id of idsOf(report, 'held')) held.add(id)
    if (name === 'shipped') t.same(idsOf(report, 'skipped'), SKIPPED_WITH_SHIPPED)
    t.equal(report.lists, name === 'empty' ? undefined : 'both')
    const { held: count, failed, skipped } = report.summary
    t.equal(count + failed + skipped, STATEMENTS.length, name)
    const unexplained = report.statements.filter(
      ({ outcome, expected, actual }) =>
        outcome === 'skipped' && !/.+,.+/.test([expected, actual].join()),
    )
    t.same(unexplained, [], name)
  }
  t.same(
    STATEMENTS.filter(({ id }) => !held.has(id) && !ABSENT.test(id)).map(({ id }) => id),
    [],
  )
})

t.test('statements are asked in the form of lists that a deployment reads', async (t) => {
  const materials = DATA_SETS.exotic?.fixtures?.things ?? []
  const exotic = { resource: 'materials', fixtures: { materials } }
  for (const [lists, dataSet] of [
    ['documented', SHIPPED],
    ['migrated', SHIPPED],
    ['migrated', exotic],
  ] as const) {
    const mock = await startDataSet(t, dataSet, { lists })
    const report = await checkMock(mock, dataSet)
    t.equal(report.lists, lists)
    t.same(
      idsOf(report, 'failed').filter((id) => dataSet === SHIPPED || !id.startsWith('schema.')),
      [],
    )
    t.same(report.warnings, [])
    if (dataSet !== SHIPPED) continue
    const lacks = report.statements.filter(({ id }) => !SKIPPED_WITH_SHIPPED.includes(id))
    t.same(
      lacks.filter(({ outcome }) => outcome === 'skipped').map(({ id }) => id),
      lists === 'migrated' ? SKIPPED_WITH_MIGRATED : [],
    )
  }
})

t.test('the statements hold over HTTP', async (t) => {
  const mock = await startDataSet(t, SHIPPED)
  const report = await checkMock(mock, SHIPPED, { fetch: globalThis.fetch })
  t.same(idsOf(report, 'failed'), [])
  t.same(idsOf(report, 'skipped'), SKIPPED_WITH_SHIPPED)
})

t.test('a resource that is only read accuses nobody of its writes', async (t) => {
  const mock = await startDataSet(t, SHIPPED)
  const report = await checkMock(mock, { ...SHIPPED, resource: 'bank-workflows' })
  t.same(idsOf(report, 'failed'), [])
  t.ok(idsOf(report, 'skipped').includes('write.not-json'))
})
