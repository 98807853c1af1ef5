import type { JsonObject } from '@materials-mock/json'
import { expectFailure, expectMessage, expectRefused, expectSame, expectTrue } from '../expect.js'
import { Lack, Mismatch, words } from '../outcome.js'
import type { Probe } from '../probe.js'
import { compareStrings, describeCount } from '../sample.js'
import { defineGroup } from '../statement.js'
import type { Statement } from '../statement.js'

const { documented, assumed } = defineGroup('projection')

const DEFAULT_LIMIT = 50
const MAX_LIMIT = 500

/** The statements on the part of a list that is returned. */
export const PAGES: readonly Statement[] = [
  documented('limit', 'limit bounds the number of items', (probe) => {
    const ids = takeIds(probe, 2)
    return expectIds(probe, { sort: { _id: 1 }, limit: ids.length - 1 }, ids.slice(0, -1))
  }),
  documented('skip', 'skip leaves out the first items', (probe) =>
    expectIds(probe, { sort: { _id: 1 }, skip: 1 }, takeIds(probe, 2).slice(1)),
  ),
  documented('skip-before-limit', 'skip comes before limit', (probe) =>
    expectIds(probe, { sort: { _id: 1 }, skip: 1, limit: 2 }, takeIds(probe, 3).slice(1, 3)),
  ),
  documented('sort-before-skip', 'sort comes before skip', (probe) =>
    expectIds(probe, { sort: { _id: -1 }, skip: 1, limit: 1 }, takeIds(probe, 2).slice(-2, -1)),
  ),
  documented('skip-beyond', 'A skip beyond the last item gives an empty list', (probe) =>
    expectIds(probe, { skip: probe.take(1).length }, []),
  ),
  documented('pages', 'Consecutive pages neither overlap nor miss an item', async (probe) => {
    const ids = takeIds(probe, 3)
    expectSame(await listPages(probe, ids.length, { sort: { _id: 1 } }), ids)
  }),
  assumed(
    'pages-unsorted',
    'Consecutive pages without a sort neither overlap nor miss an item',
    async (probe) => {
      const ids = takeIds(probe, 3)
      const paged = await listPages(probe, ids.length, {})
      expectSame(paged.toSorted(compareStrings), ids)
    },
  ),
  assumed('order-unsorted', 'A list without a sort has the same order twice', async (probe) => {
    takeIds(probe, 2)
    await expectIds(probe, undefined, await probe.listSampleIds({}))
  }),
  documented('limit-default', 'A list has at most 50 items by default', (probe) =>
    expectLimit(probe, {}, DEFAULT_LIMIT),
  ),
  documented('limit-default-bare', 'A list without projection has at most 50 items', (probe) =>
    expectLimit(probe, undefined, DEFAULT_LIMIT),
  ),
  documented('limit-500', 'A limit of 500 returns 500 items, if there are as many', (probe) =>
    expectLimit(probe, { ...NARROW, limit: MAX_LIMIT }, MAX_LIMIT),
  ),
  documented('limit-501', 'A limit above 500 is refused', async (probe) => {
    for (const limit of [MAX_LIMIT + 1, 10_000])
      expectRefused(await probe.get(probe.listPath({}, { limit })))
  }),
  assumed(
    'limit-501-message',
    'A limit above 500 is 400 PROJECTION_INVALID, and the message names the limit',
    async (probe) => {
      probe.needProjection()
      const response = await probe.get(probe.listPath({}, { limit: MAX_LIMIT + 1 }))
      expectFailure(response, 400, 'PROJECTION_INVALID')
      expectMessage(response, 'projection.limit must be an integer from 1 to 500, not 501')
    },
  ),
]

/** A projection whose lists do not change while other clients write, and that returns as little as possible. */
const NARROW = { sort: { _id: 1 }, fields: { _id: 1 } }

/** Returns the `_id`s of the sample, in their order. */
function takeIds(probe: Probe, count: number): string[] {
  return probe
    .take(count)
    .map(({ _id }) => _id)
    .toSorted(compareStrings)
}

async function expectIds(
  probe: Probe,
  projection: JsonObject | undefined,
  expected: readonly string[],
): Promise<void> {
  expectSame(await probe.listSampleIds({}, projection), expected)
}

/** Lists the sample in about three pages, and the page after the last. */
async function listPages(probe: Probe, count: number, sort: JsonObject): Promise<string[]> {
  const limit = Math.ceil(count / 3)
  const ids: string[] = []
  for (let skip = 0; skip <= count; skip += limit)
    ids.push(...(await probe.listSampleIds({}, { ...sort, skip, limit })))
  return ids
}

/** Expects that a list has as many items as its limit, or fewer if there are no more items. */
async function expectLimit(
  probe: Probe,
  projection: JsonObject | undefined,
  limit: number,
): Promise<void> {
  probe.take(1)
  const { length } = await probe.list(undefined, projection)
  const { lastRequest } = probe.deployment
  expectTrue(length <= limit, `at most ${limit} items`, words(describeCount(length)))
  if (length === limit) return
  const more = await probe.list(undefined, { ...NARROW, skip: length, limit: 1 })
  if (more.length > 0) {
    // Other clients may have added items in between. Then the same list is longer now.
    const again = await probe.list(undefined, projection)
    const found = words(`${describeCount(length)}, and there are more`)
    if (again.length <= length) throw new Mismatch(words(`${limit} items`), found, lastRequest)
  } else if (limit === DEFAULT_LIMIT) {
    throw new Lack('50 items', `${describeCount(length)} of ${probe.resource}`)
  }
}
