import t from 'tap'

import { parseListParameters, toCacheKey } from '../../src/query/list-parameters.js'
import { ListQueryCompiler } from '../../src/query/list-query.js'
import type { UrlParameters } from '../../src/query/list-parameters.js'
import { Collection } from '../../src/store/collection.js'
import { pageJson } from '../../src/store/entry-json.js'
import { Scheduler } from '../../src/work/scheduler.js'
import { runToEnd } from '../../src/work/work.js'

t.test('the JSON of projected fields is cached while other pages are listed', async (t) => {
  const compiler = new ListQueryCompiler()
  const entry = new Collection('things', [{ _id: 'a', n: 1 }], new Scheduler()).entries[0]
  if (entry === undefined) return t.fail('there is one entry')
  const project = (skip: number) => {
    const { fields } = compiler.compile({ projection: { skip, fields: { n: 1 } } })
    t.strictSame(runToEnd(pageJson([entry], fields)).map(String), ['{"_id":"a","n":1}'])
    return entry.projected
  }
  const projected = project(0)
  for (let skip = 0; skip < 10_000; skip += 1) compiler.compile({ projection: { skip } })
  t.equal(project(1), projected)
})

t.test('the same parameters are parsed and compiled once', async (t) => {
  const compiler = new ListQueryCompiler()
  const parse = () => compiler.parseOnce('a', () => ({ query: { a: 1 } }))
  t.equal(parse(), parse())
  t.equal(compiler.findCompiled(parse()), undefined)
  t.equal(compiler.compile(parse()), compiler.compile(parse()))
  t.equal(compiler.findCompiled(parse()), compiler.compile(parse()))
  t.not(compiler.compile({ query: { a: 1 } }), compiler.compile(parse()))
})

t.test('only parameters that parse to the same result have the same key', async (t) => {
  const cases: [same: boolean, one: UrlParameters, other: UrlParameters][] = [
    [true, { query: '{}' }, { query: '{}', _: '1' }],
    [true, { query: '{}' }, { query: '{}', name: 'x' }],
    [true, {}, { _: '1' }],
    [false, { query: '{}' }, { query: '{ }' }],
    [false, { query: '{}' }, { projection: '{}' }],
    [false, { query: '{}' }, { query: '{}', limit: '1' }],
    [false, { query: '{}&limit=1:1' }, { query: '{}', limit: '1' }],
    [false, { query: '{}' }, { query: '{}', setId: 's' }],
    [false, { limit: '1' }, { skip: '1' }],
    [false, {}, { globalSearch: 'true' }],
  ]
  for (const [same, one, other] of cases) {
    const keys = [one, other].map((each) => toCacheKey(each, 'both'))
    t.ok(keys.every((key) => key !== undefined))
    t.equal(keys[0] === keys[1], same, JSON.stringify([one, other]))
  }
  t.not(toCacheKey({}, 'both'), toCacheKey({}, 'migrated'))
  for (const parameters of [
    { name: 'x' },
    { limit: '1', name: 'x' },
    { query: ['{}', '{}'] },
    { query: '{}', 'query[a]': '1' },
  ])
    t.equal(toCacheKey(parameters, 'both'), undefined, JSON.stringify(parameters))
})

t.test('an invalid parameter is an error each time', async (t) => {
  const compiler = new ListQueryCompiler()
  for (const _ of [1, 2]) {
    t.throws(() => compiler.parseOnce('b', () => parseListParameters({ query: '{' }, 'both')), {
      code: 'QUERY_INVALID',
    })
  }
})
