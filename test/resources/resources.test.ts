import { existsSync } from 'node:fs'
import { join } from 'node:path'

import t from 'tap'

import { RESOURCE_NAMES, addImpliedResources, resolveLists } from '@materials-mock/api'
import { record } from '../../src/cli/record.js'
import { createClient } from '../../src/client.js'
import type { Client } from '../../src/client.js'
import { startMock } from '../../src/mock/start-mock.js'
import { RESOURCES } from '../../src/resources/resources.js'
import { BASE, EMPTY_RESOURCES } from '../helpers/build.js'

const ACCOUNT = { _id: 'ann', username: 'ann', password: 'x', tokens: ['ann-token'] }
const CREDENTIALS = { 'X-Account-Id': 'ann', 'X-Auth-Token': 'ann-token' }
const FIXTURES = {
  accounts: [ACCOUNT],
  ...Object.fromEntries(Object.keys(RESOURCES).map((name) => [name, [{ _id: 'i1' }]])),
}

const described = Object.entries(RESOURCES)
const typed = described.filter(([, { item }]) => item !== undefined)
const written = described.filter(([, { bankOf }]) => bankOf === undefined)

t.test('the table has the resources in the order of their names', async (t) => {
  t.same(Object.keys(RESOURCES), RESOURCE_NAMES)
})

t.test('the items of fixtures are as the schema of their resource says', async (t) => {
  t.ok(typed.length >= 7)
  for (const [resource] of typed) {
    await t.rejects(startMock({ fixtures: { [resource]: [{ _id: 'i1', name: 5 }] } }), {
      code: 'FIXTURES_INVALID',
      message: `fixtures.${resource}, item 1 (_id "i1"): name must be a string, not 5`,
    })
  }
})

/** The parts of an operation of the document. */
interface Operation {
  readonly operationId: string
  readonly requestBody: object
  readonly responses: Readonly<Record<number, object>>
}

t.test('each resource has its routes, and its name in the document', async (t) => {
  const mock = await startMock({ fixtures: FIXTURES, logLevel: 'silent' })
  t.teardown(() => mock.close())
  const response = await mock.fetch(`${BASE}/swagger.json`)
  const { paths, components } = (await response.json()) as {
    readonly paths: Readonly<Record<string, Record<string, Operation>>>
    readonly components: { readonly schemas: object }
  }
  for (const [resource, { item }] of described) {
    const { get } = paths[`/${resource}/{id}`] ?? {}
    t.equal(get?.operationId, `${resource}-get`)
    const name = item?.$id ?? 'Item'
    t.match(JSON.stringify(get?.responses[200]), `"#/components/schemas/${name}"`, resource)
    t.ok(Object.hasOwn(components.schemas, name), name)
  }
  for (const [resource] of written) {
    const { put } = paths[`/${resource}/create`] ?? {}
    t.match(JSON.stringify(put?.requestBody), /"#\/components\/schemas\/New\w+"/, resource)
  }
})

t.test('the client has a member for each resource', async (t) => {
  const mock = await startMock({ fixtures: FIXTURES, logLevel: 'silent' })
  t.teardown(() => mock.close())
  const client = await Promise.resolve(
    createClient({ fetch: mock.fetch, credentials: CREDENTIALS }),
  )
  for (const [resource] of described) {
    const member = client[resource as keyof Client] as Client['materials']
    t.match(await member.get('i1'), { _id: 'i1' }, resource)
  }
  for (const [resource] of written) {
    const member = client[resource as keyof Client] as Client['materials']
    t.match(await member.create({ name: 'new' }), { name: 'new', isDefault: false }, resource)
    await t.rejects(member.create({ name: 5 as never }), { code: 'BODY_INVALID' }, resource)
  }
  t.equal((client as { then?: unknown }).then, undefined)
})

t.test('a partial item of each resource is completed and valid', async (t) => {
  const mock = await startMock({ fixtures: FIXTURES, logLevel: 'silent' })
  t.teardown(() => mock.close())
  for (const [resource, { bankOf }] of described) {
    const slug = bankOf === undefined ? 'ann' : 'curators'
    t.match(mock.seed({ [resource]: [{ tags: ['a'] }] })[resource], [
      { _id: /^\w{17}$/, tags: ['a'], owner: { slug, cls: 'Account' }, createdAt: String },
    ])
    t.throws(() => mock.seed({ [resource]: [{ tags: 'a' }] }), { code: 'BODY_INVALID' })
  }
})

t.test('record fetches all resources of the platform', async (t) => {
  const mock = await startMock({ fixtures: FIXTURES, logLevel: 'silent' })
  t.teardown(() => mock.close())
  const out = join(t.testdir(), 'recorded')
  const [log, progress] = [t.capture(console, 'log'), t.capture(process.stderr, 'write')]
  await record.run({ url: mock.url + BASE, username: 'ann', password: 'x', out })
  progress.restore()
  const names = described.map(([name]) => `${name} (1)`).join(', ')
  t.equal(log()[0]?.args[0], `recorded ${names} to ${out}`)
  log.restore()
  for (const [name] of described) t.ok(existsSync(join(out, `${name}.jsonl`)), name)
})

t.test('what a resource writes to is served, and what the platform always has', async (t) => {
  t.same(addImpliedResources(['jobs', 'bank-workflows']), [
    'jobs',
    'bank-workflows',
    'properties',
    'workflows',
    ...EMPTY_RESOURCES,
  ])
  t.same(addImpliedResources(['properties', 'constructor']), [
    'properties',
    'constructor',
    ...EMPTY_RESOURCES,
  ])
  const mock = await startMock({ fixtures: { accounts: [ACCOUNT] }, logLevel: 'silent' })
  t.teardown(() => mock.close())
  const client = createClient({ fetch: mock.fetch, credentials: CREDENTIALS })
  for (const name of EMPTY_RESOURCES) {
    const member = client[name as keyof Client] as Client['materials']
    t.same(await member.list(), [], name)
    const { _id } = await member.create({ name: 'new' })
    t.match(await member.list(), [{ _id, name: 'new' }], name)
  }
})

t.test('lists of the resources that are the results of jobs are the old ones', async (t) => {
  const old = described
    .map(([name]) => name)
    .filter((name) => resolveLists(name, 'migrated') === 'both')
  t.same(old, ['metaproperties', 'charges', ...EMPTY_RESOURCES])
  t.equal(resolveLists('things', 'migrated'), 'both')
  t.equal(resolveLists('charges', 'documented'), 'documented')
})
