import t from 'tap'

import { Scheduler, runToEnd } from '@materials-mock/work'
import { ListQueryCompiler } from '../../../src/http/list/compile.js'
import { parseListParameters } from '../../../src/http/list/parameters.js'
import { Collection } from '../../../src/store/collection.js'
import { pageJson } from '../../../src/store/entry-json.js'

t.test('the JSON of projected fields is cached while other pages are listed', async (t) => {
  const compiler = new ListQueryCompiler()
  const entry = new Collection('things', [{ _id: 'a', n: 1 }], new Scheduler()).entries[0]
  if (entry === undefined) return t.fail('there is one entry')
  const project = (skip: number) => {
    const { fields } = compiler.compile({ projection: { skip, fields: { n: 1 } } })
    t.strictSame(runToEnd(pageJson([entry], fields)).map(String), ['{"_id":"a","n":1},'])
    return entry.projected
  }
  const projected = project(0)
  for (let skip = 0; skip < 10_000; skip += 1) compiler.compile({ projection: { skip } })
  t.equal(project(1), projected)
})

t.test('the same parameters are parsed and compiled once', async (t) => {
  const compiler = new ListQueryCompiler()
  const parse = () => compiler.parseOnce('/a', () => ({ query: { a: 1 } }))
  t.equal(parse(), parse())
  t.equal(compiler.compile(parse()), compiler.compile(parse()))
  t.not(compiler.compile({ query: { a: 1 } }), compiler.compile(parse()))
})

t.test('an invalid parameter is an error each time', async (t) => {
  const compiler = new ListQueryCompiler()
  for (const _ of [1, 2]) {
    t.throws(() => compiler.parseOnce('/b', () => parseListParameters({ query: '{' }, 'both')), {
      code: 'QUERY_INVALID',
    })
  }
})
