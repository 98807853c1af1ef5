import fc from 'fast-check'
import t from 'tap'

import { generateMaterials } from '@materials-mock/structures'
import { median, quantile } from '../../bench/figures/median.js'
import { markFallen } from '../../bench/figures/released.js'
import { formatNumber, formatTable } from '../../bench/figures/table.js'
import released from '../../bench/throughput/released.json' with { type: 'json' }
import { parseSettings } from '../../bench/throughput/settings.js'
import { toOurPath, toVariedPath } from '../../bench/workloads/our-path.js'
import { findRanges } from '../../bench/workloads/ranges.js'
import { createWorkloads, PATTERN } from '../../bench/workloads/workload.js'
import type { Read } from '../../bench/workloads/workload.js'
import { build } from '../helpers/build.js'

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

t.test('numbers and tables are formatted', async (t) => {
  const cases: [value: number | undefined, text: string][] = [
    [1234.5, '1,235'],
    [99.94, '99.9'],
    [9.996, '10.00'],
    [0, '0.00'],
    [undefined, '–'],
    [Number.NaN, '–'],
  ]
  for (const [value, text] of cases) t.equal(formatNumber(value), text)
  t.equal(
    formatTable(['work', 'µs'], [['list', '40.0'], ['item']]),
    '| work |   µs |\n| ---- | ---: |\n| list | 40.0 |\n| item |      |',
  )
})

t.test('a ratio that fell by a fifth since the last release is marked', async (t) => {
  const former = { version: '1.0.0', ratios: { 1000: { list: 0.65 } } }
  const cases: [ratio: number, name: string, count: number, mark: string][] = [
    [0.65, 'list', 1000, ''],
    [0.53, 'list', 1000, ''],
    [0.51, 'list', 1000, 'fell from 0.65'],
    [0.1, 'list', 100_000, ''],
    [0.1, 'sort', 1000, ''],
    [Number.NaN, 'list', 1000, ''],
  ]
  for (const [ratio, name, count, mark] of cases)
    t.equal(markFallen(ratio, name, count, former), mark)
})

t.test('each range contains exactly the given number of values', async () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 0, max: 30 })),
      fc.integer({ min: 1, max: 5 }),
      (numbers, size) =>
        findRanges(numbers, size).every(
          ([from, to]) => numbers.filter((number) => number >= from && number < to).length === size,
        ),
    ),
  )
  t.same(findRanges([5, 1, 4, 2, 3], 2), [
    [2, 4],
    [3, 5],
  ])
})

t.test('the flags set the sizes, rounds, seconds and starts', async (t) => {
  t.same(parseSettings([]), {
    sizes: [1000, 100_000],
    rounds: 5,
    seconds: 2,
    starts: 10,
    peers: true,
    fairness: false,
    work: [''],
  })
  t.same(
    parseSettings(['--items', '10,20', '--rounds', '3', '--seconds', '0.5', '--starts', '2']),
    {
      sizes: [10, 20],
      rounds: 3,
      seconds: 0.5,
      starts: 2,
      peers: true,
      fairness: false,
      work: [''],
    },
  )
  t.equal(parseSettings(['--no-peers']).peers, false)
  t.same(parseSettings(['--quick', '--rounds', '2']).sizes, [1000])
  t.match(parseSettings(['--fairness', '--work', 'sort;PATCH']), {
    sizes: [100_000],
    seconds: 4,
    fairness: true,
    work: ['sort', 'PATCH'],
  })
  t.same(parseSettings(['--fairness', '--quick']).sizes, [1000])
  t.throws(() => parseSettings(['--items', '10,x']), /^--items must be a number above 0, not "x"$/)
  t.throws(() => parseSettings(['--item', '10']), /Unknown option '--item'/)
})

t.test('a read becomes a path of our server', async (t) => {
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
    t.equal(decodeURIComponent(toOurPath({ page: 0, ...read })), `/api/2018-10-01/materials${path}`)
})

t.test('every workload has the expected number of matches', async (t) => {
  const count = 1000
  const materials = [...generateMaterials(count)]
  const app = await build(t, {
    fixtures: {
      accounts: [{ _id: 'bench', username: 'bench', password: 'bench', tokens: ['t'] }],
      materials,
    },
  })
  const headers = { 'x-account-id': 'bench', 'x-auth-token': 't' }
  const summaries = materials.map(({ _id: id, formula = '', lattice }) => {
    return { id, formula, length: lattice?.a ?? 0 }
  })
  const workloads = createWorkloads({
    count,
    summaries,
    fixtures: '',
    materials: '',
    database: undefined,
  })
  const names = new Set(workloads.map(({ name }) => name))
  for (const name of Object.values(released.ratios).flatMap((ratios) => Object.keys(ratios)))
    t.ok(names.has(name), `${name}, whose ratio is kept, is still measured`)
  for (const { name, reads, matchCount } of workloads) {
    for (const read of [reads[0], reads.at(-1)]) {
      const path = toOurPath(read ?? { page: 0 })
      const [response, varied] = await Promise.all(
        [path, toVariedPath(path, 11)].map((url) => app.inject({ url, headers })),
      )
      t.equal(varied?.body, response?.body, `${name}, varied`)
      const found = [response?.json().data].flat()
      if (name === PATTERN) t.ok(found.length > 0 && found.length < 50, `${name}: ${found.length}`)
      else t.equal(found.length, matchCount, name)
    }
  }
})
