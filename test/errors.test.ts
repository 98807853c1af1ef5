import { types } from 'node:util'

import t from 'tap'

import * as connect from '../src/mock/connect.js'
import * as errors from '../src/errors.js'
import * as index from '../src/index.js'

const { CatalogueError, ...classes } = errors

t.test('each error has the name of its class, and so has its stack', async (t) => {
  t.ok(Object.keys(classes).length > 25)
  for (const [name, Kind] of Object.entries(classes)) {
    const error = new (Kind as new (...words: string[]) => errors.CatalogueError)('a', 'b', 'c')
    t.equal(Kind.name, name)
    t.equal(error.name, name)
    t.match(error.stack, new RegExp(`^${name}: .+\\n +at .*errors\\.test\\.ts`))
    t.equal(String(error), `${name} [${error.code}]: ${error.message}`)
    t.ok(error instanceof Kind, name)
    t.ok(error instanceof CatalogueError, name)
    t.ok(error instanceof Error, name)
    t.ok(types.isNativeError(error), name)
    t.ok(structuredClone(error) instanceof Error, name)
    t.equal(error.code, name.replace(/(?!^)[A-Z]/g, '_$&').toUpperCase())
  }
  t.notOk(new errors.ItemNotFound('a', 'b') instanceof errors.FaultNotFound)
  class Mine extends errors.ItemNotFound {}
  t.ok(new Mine('a', 'b') instanceof Mine)
  t.ok(new Mine('a', 'b') instanceof errors.ItemNotFound)
  t.notOk(new errors.ItemNotFound('a', 'b') instanceof Mine)
  t.ok(new CatalogueError('a') instanceof CatalogueError)
  for (const other of [new Error('a'), undefined, null, 'a', {}])
    t.notOk([errors.ItemNotFound, CatalogueError].some((Kind) => (other as object) instanceof Kind))
})

t.test('the package exports every class of errors', async (t) => {
  for (const entry of [index, connect] as Record<string, unknown>[])
    for (const [name, Kind] of Object.entries(errors)) t.equal(entry[name], Kind, name)
})

t.test('the errors of the package can be caught by their class', async (t) => {
  const { OptionsInvalid, FixturesInvalid, SnapshotNotFound, buildApp, startMock } = index
  await t.rejects(buildApp({ port: -1 }), OptionsInvalid)
  await t.rejects(buildApp({ fixtures: { materials: [{}] } }), FixturesInvalid)
  const mock = await startMock({ fixtures: {}, logLevel: 'silent' })
  t.teardown(() => mock.close())
  t.throws(() => mock.restore('nothing'), SnapshotNotFound)
  await t.rejects(mock.requests({ $no: 1 }), { name: 'QueryInvalid' })
})
