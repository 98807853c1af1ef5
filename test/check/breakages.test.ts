import { readFileSync } from 'node:fs'

import t from 'tap'

import { STATEMENTS, isHeld } from '@materials-mock/check'
import type { Report } from '@materials-mock/check'
import type { JsonObject } from '@materials-mock/json'
import { SCHEMA_FIELDS } from '@materials-mock/api'
import type { SchemaField } from '@materials-mock/api'
import { BREAKAGES } from './breakages.js'
import { breakFetch, mapJson, respond } from './broken-server.js'
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
  for (const group of groupFields(fields)) {
    for (const isMissing of [true, false]) {
      const broken = group.map(({ resource, path, schema }) => ({
        id: `schema.${resource}.${path}`,
        resource,
        path,
        value: isMissing ? undefined : schema.type === 'number' ? '5' : 5.5,
      }))
      const ids = broken.map(({ id }) => id)
      const report = await checkMock(mock, dataSet, {
        fetch: breakFetch(mock.fetch, setFields(broken)),
        id: new RegExp(`^(${ids.map((id) => id.replaceAll('.', '\\.')).join('|')})$`),
      })
      t.same(idsOf(report, 'failed').toSorted(), ids.toSorted())
      for (const { id, resource, path, value } of broken) {
        const actual = report.statements.find((each) => each.id === id)?.actual ?? ''
        const start = `${resource}.${path} is ${JSON.stringify(value) ?? 'missing'}, not `
        t.equal(actual.slice(0, start.length), start)
      }
    }
  }
})

/**
 * Groups fields of which each can be broken without the others: one of each resource. None is `_id`, as an
 * item without one is no item, which other statements tell.
 */
function groupFields(fields: readonly SchemaField[]): SchemaField[][] {
  const groups: SchemaField[][] = []
  const counts = new Map<string, number>()
  for (const field of fields) {
    if (field.path === '_id') continue
    const count = counts.get(field.resource) ?? 0
    counts.set(field.resource, count + 1)
    ;(groups[count] ??= []).push(field)
  }
  return groups
}

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
    ['tags', [1], 'materials.tags is [1], not an array, each element a string, in the item "'],
  ] as const) {
    const report = await check(setFields([{ resource: 'materials', path, value }]))
    const failed = report.statements.filter(({ outcome }) => outcome === 'failed')
    t.same(
      failed.map(({ id }) => id),
      [`schema.materials.${path}`],
    )
    t.equal(failed[0]?.actual?.slice(0, message.length), message)
    t.equal(isHeld(report), false)
  }
  const report = await check(setFields([{ resource: 'materials', path: 'mine', value: 5 }]))
  t.same(
    [isHeld(report), report.notes],
    [true, ['materials has fields that its schema does not have: mine']],
  )
})

t.test('what is no list of items, and no item, is found in every resource', async (t) => {
  const mock = await startDataSet(t, SHIPPED)
  for (const [path, answer, isFailed] of [
    [/jobs$/, () => html(200), true],
    [/jobs$/, () => html(500), true],
    [/jobs$/, () => respond({ status: 'success', data: {} }), true],
    [/jobs$/, () => respond([{ _id: 'a' }]), true],
    [/jobs$/, () => respond({ status: 'success', data: [{ _id: 5 }] }), true],
    [/jobs$/, () => respond({ status: 'success', data: [null] }), true],
    [/jobs$/, () => respond({ status: 'error', message: 'no' }, 403), false],
    [/jobs\/.*/, () => respond({ status: 'success', data: null }), true],
    [/jobs\/.*/, () => html(404), true],
  ] as const) {
    const report = await checkMock(mock, SHIPPED, {
      fetch: breakFetch(mock.fetch, async (request, send) =>
        path.test(request.url.pathname) ? answer() : send(request),
      ),
      id: /^schema\.jobs\./,
    })
    t.same(idsOf(report, 'failed'), isFailed ? ['schema.jobs._id'] : [], answer.toString())
    t.same(idsOf(report, 'held'), [])
  }
})

const html = (status: number): Response => new Response('<h1>Jobs</h1>', { status })

/** Returns the first shipped items of each resource that has a schema. */
const takeShipped = (count: number): Record<string, JsonObject[]> =>
  Object.fromEntries(
    [...new Set(SCHEMA_FIELDS.map(({ resource }) => resource))].map((resource) => {
      const file = new URL(`../../fixtures/${resource}.json`, import.meta.url)
      return [resource, JSON.parse(readFileSync(file, 'utf8')).slice(0, count)]
    }),
  )

/** A field of the items of a resource, with another value; undefined leaves it out. */
interface ChangedField {
  readonly resource: string
  readonly path: string
  readonly value: unknown
}

/** Sets fields of all items. */
const setFields =
  (fields: readonly ChangedField[]): Change =>
  async (request, send) => {
    const response = await send(request)
    const [, , , name] = request.url.pathname.split('/')
    const changed = fields.filter(({ resource }) => resource === name)
    if (!response.ok || changed.length === 0) return response
    return mapJson(response, (json) => {
      for (const item of [json.data].flat())
        for (const { path, value } of changed) setAt(item, path.split('.'), value)
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
