import { readFileSync } from 'node:fs'

import t from 'tap'

import { isHeld } from '../../src/contract/report.js'
import type { Report } from '../../src/contract/report.js'
import { SCHEMA_FIELDS } from '../../src/contract/statements/schema.js'
import type { SchemaField } from '../../src/contract/statements/schema.js'
import { STATEMENTS } from '../../src/contract/statements/statements.js'
import type { JsonObject } from '../../src/json/json.js'
import { BREAKAGES } from './breakages.js'
import { breakFetch, mapJson } from './broken-server.js'
import type { Change } from './broken-server.js'
import { checkMock, idsOf, startDataSet } from './check-mock.js'
import { DATA_SETS, SHIPPED } from './data-sets.js'

t.test('no breakage of a server is missed', async (t) => {
  // If all lists are read, a server that ignores the query is one with migrated lists.
  const lists = 'documented'
  const mocks = {
    shipped: await startDataSet(t, SHIPPED, { lists }),
    exotic: await startDataSet(t, DATA_SETS.exotic ?? SHIPPED, { lists }),
    single: await startDataSet(t, DATA_SETS.single ?? SHIPPED, { lists }),
    pair: await startDataSet(t, DATA_SETS.pair ?? SHIPPED, { lists }),
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

/** Whether a field is tested with another resource: banks have the schemas of those before them. */
const isShared = ({ resource, path }: SchemaField): boolean =>
  resource.includes('-') && path.includes('.')

t.test('a field that is missing or wrong is named, by its resource and its path', async (t) => {
  const dataSet = { resource: 'materials', fixtures: takeShipped(2) }
  const mock = await startDataSet(t, dataSet)
  const whole = await checkMock(mock, dataSet, { id: /^schema\./ })
  t.same(idsOf(whole, 'failed'), [])
  const present = new Set(idsOf(whole, 'held'))
  const fields = SCHEMA_FIELDS.filter(
    (field) =>
      field.isAlways && !isShared(field) && present.has(`schema.${field.resource}.${field.path}`),
  )
  t.ok(fields.length > 100)
  for (const { resource, path, schema } of fields) {
    for (const value of [undefined, schema.type === 'number' ? '5' : 5.5]) {
      if (path === '_id') continue // an item without one is no item: the lists' statements tell
      const fetch = breakFetch(mock.fetch, onField(resource, path, value))
      const id = `schema.${resource}.${path}`
      const { statements } = await checkMock(mock, dataSet, { fetch, id })
      const [{ outcome, actual = '' } = {}] = statements
      t.equal(outcome, 'failed', `${id} is ${value}`)
      t.ok(
        actual.startsWith(`${resource}.${path} is ${JSON.stringify(value) ?? 'missing'}, not `),
        actual,
      )
    }
  }
})

t.test('the wrong shapes of whole items are found, and more fields accuse nobody', async (t) => {
  const mock = await startDataSet(t, SHIPPED)
  const check = async (change: Change): Promise<Report> =>
    checkMock(mock, SHIPPED, { fetch: breakFetch(mock.fetch, change), id: /^schema\.materials\./ })
  for (const [path, value, message] of [
    [
      'basis.coordinates',
      null,
      'materials.basis.coordinates is null, not an array of objects, in the item "',
    ],
    ['owner', 'somebody', 'materials.owner is "somebody", not an object, in the item "'],
    [
      'createdAt',
      1705140766000,
      'materials.createdAt is 1705140766000, not a string, in the item "',
    ],
    ['lattice.type', 'FCCC', 'materials.lattice.type is "FCCC", not "CUB" or '],
  ] as const) {
    const report = await check(onField('materials', path, value))
    const failed = report.statements.filter(({ outcome }) => outcome === 'failed')
    t.same(
      failed.map(({ id }) => id),
      [`schema.materials.${path}`],
    )
    t.equal(failed[0]?.actual?.slice(0, message.length), message)
    t.equal(isHeld(report), false)
  }
  const report = await check(onField('materials', 'mine', 5))
  t.same(
    [isHeld(report), report.notes],
    [true, ['materials has fields that its schema does not have: mine']],
  )
})

/** Returns the first shipped items of each resource that has a schema. */
const takeShipped = (count: number): Record<string, JsonObject[]> =>
  Object.fromEntries(
    [...new Set(SCHEMA_FIELDS.map(({ resource }) => resource))].map((resource) => {
      const file = new URL(`../../fixtures/${resource}.json`, import.meta.url)
      return [resource, JSON.parse(readFileSync(file, 'utf8')).slice(0, count)]
    }),
  )

/** Sets a field of all items of a resource, or leaves it out. */
const onField =
  (resource: string, path: string, value: unknown): Change =>
  async (request, send) => {
    const response = await send(request)
    if (!response.ok || request.url.pathname.split('/')[3] !== resource) return response
    return mapJson(response, (json) => {
      for (const item of [json.data].flat()) setAt(item, path.split('.'), value)
      return json
    })
  }

function setAt(target: unknown, [name = '', ...rest]: readonly string[], value: unknown): void {
  if (Array.isArray(target)) {
    for (const each of target) setAt(each, [name, ...rest], value)
  } else if (typeof target === 'object' && target !== null) {
    const object = target as Record<string, unknown>
    if (rest.length > 0) setAt(object[name], rest, value)
    else if (value === undefined) delete object[name]
    else object[name] = value
  }
}

t.test('every breakage is of a statement that there is', async (t) => {
  const ids = new Set(STATEMENTS.map(({ id }) => id))
  const unknown = BREAKAGES.filter(({ statement }) => !ids.has(statement))
  t.same(unknown, [])
})
