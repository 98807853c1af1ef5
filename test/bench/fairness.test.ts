import t from 'tap'

import { generateMaterials } from '@materials-mock/structures'
import { describeOutcome } from '../../bench/clients/send-request.js'
import { toLongPattern } from '../../bench/fairness/costly-queries.js'
import { createCostlyWork } from '../../bench/fairness/create-costly-work.js'
import { formatFairnessReport } from '../../bench/fairness/fairness-report.js'
import { addOmittedWaits, getMaxWait, summarizeWaits } from '../../bench/fairness/waits.js'
import { formatTally } from '../../bench/figures/tally.js'
import { build } from '../helpers/build.js'

t.test('a long wait counts for the requests that were not sent meanwhile', async (t) => {
  const cases: [latencies: number[], interval: number, corrected: number[]][] = [
    [[], 5, []],
    [[1, 4], 5, [1, 4]],
    [[5], 5, [5]],
    [[12], 5, [12, 7]],
    [[500], 100, [500, 400, 300, 200, 100]],
  ]
  for (const [latencies, interval, corrected] of cases)
    t.same(addOmittedWaits(latencies, interval), corrected)
  const thousandShort = Array.from({ length: 1000 }, () => 1)
  const waits = summarizeWaits([...thousandShort, 1000], 5)
  t.same([waits.median, waits.longest], [1, 1000])
  t.ok(waits.p99 > 900, `p99 shows the long wait: ${waits.p99}`)
})

t.test('the longest wait that is allowed depends on the number of items', async (t) => {
  t.same([100_000, 999_999, 1_000_000].map(getMaxWait), [250, 250, 1000])
})

t.test('responses are described and counted', async (t) => {
  const cases: [status: number | undefined, text: string, expected: string][] = [
    [200, '{"data":{"code":"X"}}', '200'],
    [400, '{"data":{"code":"BUDGET_EXCEEDED"}}', '400 BUDGET_EXCEEDED'],
    [503, 'no JSON', '503'],
    [undefined, 'ECONNRESET', 'ECONNRESET'],
  ]
  for (const [status, text, expected] of cases) t.equal(describeOutcome({ status, text }), expected)
  t.equal(formatTally({ '400': 2, '200': 1234 }), '1,234 × 200, 2 × 400')
  t.equal(formatTally({}), '–')
})

t.test('a row is short if a wait is too long, a response wrong or the server gone', async (t) => {
  const idle = { median: 1, p99: 2, longest: 3 }
  const responses = { '200': 7 }
  const row = { name: 'work', idle, longestTurn: 12, responses, failures: {}, exit: undefined }
  const busy = { median: 4, p99: 5, longest: 250 }
  const rows = [
    { ...row, busy },
    { ...row, busy: { ...busy, longest: 251 } },
    { ...row, busy, failures: { '404': 1 } },
    { ...row, busy, exit: 'the server ended with code 1: Error\n at line' },
  ]
  const lines = formatFairnessReport(100_000, rows).split('\n')
  t.equal(lines[0], '## The waits of another client, 100,000 items')
  t.same(
    lines
      .filter((line) => line.startsWith('| work'))
      .map((line) =>
        line
          .split('|')
          .map((cell) => cell.trim())
          .slice(4, 10),
      ),
    [
      ['250', '12.0', '1.00 / 2.00 / 3.00', '≤ 250', 'ok', '7 × 200'],
      ['251', '12.0', '1.00 / 2.00 / 3.00', '≤ 250', 'short', '7 × 200'],
      ['250', '12.0', '1.00 / 2.00 / 3.00', '≤ 250', 'short', '7 × 200; other client: 1 × 404'],
      [
        '250',
        '12.0',
        '1.00 / 2.00 / 3.00',
        '≤ 250',
        'short',
        '7 × 200; the server ended with code 1: Error',
      ],
    ],
  )
})

const EXPECTED_REFUSALS = new Set(['BUDGET_EXCEEDED', 'PATTERN_TOO_COSTLY', 'BOUND_EXCEEDED'])

/** The kinds of work whose bodies are refused. */
const INVALID_WORK = new Set([
  'malformed JSON of 1 MB',
  'a key twice at the end of 1 MB',
  'a number of 40,000 digits in a CIF',
])

t.test('all costly work is allowed, or refused because of its cost', async (t) => {
  const materials = [...generateMaterials(40)]
  const app = await build(t, {
    queryBudget: 100,
    fixtures: {
      accounts: [{ _id: 'bench', username: 'bench', password: 'bench', tokens: ['t'] }],
      materials,
    },
  })
  const all = createCostlyWork({ count: 5000, ids: materials.map(({ _id }) => _id) })
  // A thread that searches symmetry takes a second to start from the source.
  const kinds = all.filter(
    ({ name, upstream }) => upstream === undefined && !name.startsWith('the symmetry'),
  )
  t.ok(kinds.length >= 15)
  t.equal(new Set(kinds.map(({ name }) => name)).size, kinds.length)
  for (const { name, prepare, createRequest } of kinds) {
    const [first, second] = [createRequest(0), createRequest(1)]
    t.not(JSON.stringify(first), JSON.stringify(second), `${name}: no request comes twice`)
    // A server that matches globs by backtracking would never end the request.
    const requests = name.startsWith('fault rules') ? [] : [first]
    for (const request of [...firstOf(prepare?.() ?? [], 20), ...requests]) {
      const response = await app.inject({
        method: request.method as 'GET',
        url: request.path,
        headers: { 'x-account-id': 'bench', 'x-auth-token': 't', ...request.headers },
        ...(request.body !== undefined && { payload: request.body }),
      })
      const { code } = response.statusCode === 200 ? {} : response.json().data
      const isExpected =
        response.statusCode === 200 ||
        EXPECTED_REFUSALS.has(code) ||
        (INVALID_WORK.has(name) && code === 'BODY_INVALID')
      t.ok(isExpected, `${name}: ${response.statusCode} ${code}`)
    }
  }
})

t.test('the long patterns have 956 characters, and no two are equal', async (t) => {
  const patterns = Array.from({ length: 200 }, (_, number) => toLongPattern(number))
  t.ok(patterns.every(({ length }) => length === 956))
  t.equal(new Set(patterns).size, 200)
})

function* firstOf<T>(values: Iterable<T>, count: number): Generator<T> {
  let left = count
  for (const value of values) {
    if (left === 0) return
    left -= 1
    yield value
  }
}
