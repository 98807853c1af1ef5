import fc from 'fast-check'
import t from 'tap'

import { parseExtent } from '../../bench/flags.js'
import { median, quantile } from '../../bench/median.js'
import { ourPath } from '../../bench/our-path.js'
import { rangesOf } from '../../bench/ranges.js'
import { figure, table } from '../../bench/table.js'
import { PATTERN, worksOn } from '../../bench/work.js'
import type { Read } from '../../bench/work.js'
import { generateMaterials } from '../../src/domain/materials/generate/generate-materials.js'
import { build } from '../build.js'

t.test('medians and quantiles', async (t) => {
  const cases: [values: number[], middle: number, high: number][] = [
    [[3], 3, 3],
    [[3, 1], 2, 3],
    [[9, 1, 5], 5, 9],
    [[4, 3, 2, 1], 2.5, 4],
  ]
  for (const [values, middle, high] of cases) {
    t.equal(median(values), middle)
    t.equal(quantile(values, 0.99), high)
  }
  const hundred = Array.from({ length: 100 }, (_, index) => index + 1)
  t.equal(quantile(hundred, 0.99), 99)
  t.equal(quantile(hundred, 0.5), 50)
  t.ok(Number.isNaN(median([])))
})

t.test('figures and tables', async (t) => {
  const figures: [value: number | undefined, text: string][] = [
    [1234.5, '1,235'],
    [99.94, '99.9'],
    [9.996, '10.00'],
    [0, '0.00'],
    [undefined, '–'],
    [Number.NaN, '–'],
  ]
  for (const [value, text] of figures) t.equal(figure(value), text)
  t.equal(
    table(['work', 'µs'], [['list', '40.0'], ['item']]),
    '| work |   µs |\n| ---- | ---: |\n| list | 40.0 |\n| item |      |',
  )
})

t.test('each range holds exactly as many as asked for', async () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 0, max: 30 })),
      fc.integer({ min: 1, max: 5 }),
      (...given) => {
        const [numbers, size] = given
        return rangesOf(numbers, size).every(
          ([from, to]) => numbers.filter((number) => number >= from && number < to).length === size,
        )
      },
    ),
  )
  t.same(rangesOf([5, 1, 4, 2, 3], 2), [
    [2, 4],
    [3, 5],
  ])
})

t.test('the flags say how much is measured', async (t) => {
  t.same(parseExtent([]), { sizes: [1000, 100_000], rounds: 5, seconds: 2, starts: 10 })
  t.same(parseExtent(['--items', '10,20', '--rounds', '3', '--seconds', '0.5', '--starts', '2']), {
    sizes: [10, 20],
    rounds: 3,
    seconds: 0.5,
    starts: 2,
  })
  t.same(parseExtent(['--quick', '--rounds', '2']).sizes, [1000])
  t.throws(() => parseExtent(['--items', '10,x']), /^--items must be a number above 0, not "x"$/)
  t.throws(() => parseExtent(['--item', '10']), /Unknown option '--item'/)
})

t.test('a read in the words of our server', async (t) => {
  const cases: [read: Omit<Read, 'page'> & { page?: number }, path: string][] = [
    [{}, ''],
    [{ id: 'a' }, '/a'],
    [{ equal: ['formula', 'Si'] }, '?query={"formula":"Si"}'],
    [{ range: ['lattice.a', 1, 2] }, '?query={"lattice.a":{"$gte":1,"$lt":2}}'],
    [{ page: 2, sort: ['name', -1] }, '?projection={"sort":{"name":-1},"skip":100}'],
    [{ fields: ['a', 'b'] }, '?projection={"fields":{"a":1,"b":1}}'],
    [{ pattern: ['name', '^a'] }, '?query={"name":{"$regex":"^a"}}'],
  ]
  for (const [read, path] of cases)
    t.equal(decodeURIComponent(ourPath({ page: 0, ...read })), `/api/2018-10-01/materials${path}`)
})

t.test('every kind of work has as many hits as it says', async (t) => {
  const count = 1000
  const materials = [...generateMaterials(count)]
  const app = await build(t, {
    fixtures: {
      accounts: [{ _id: 'bench', username: 'bench', password: 'bench', tokens: ['t'] }],
      materials,
    },
  })
  const summaries = materials.map(({ _id: id, formula = '', lattice }) => {
    return { id, formula, length: lattice?.a ?? 0 }
  })
  const works = worksOn({ count, summaries, fixtures: '', materials: '', database: undefined })
  for (const { name, reads, hits } of works) {
    for (const read of [reads[0], reads.at(-1)]) {
      const response = await app.inject({
        url: ourPath(read ?? { page: 0 }),
        headers: { 'x-account-id': 'bench', 'x-auth-token': 't' },
      })
      const found = [response.json().data].flat()
      if (name === PATTERN) t.ok(found.length > 0 && found.length < 50, `${name}: ${found.length}`)
      else t.equal(found.length, hits, name)
    }
  }
})
