import type { OutgoingRequest } from '../clients/send-request.js'
import { BASE } from '../workloads/our-path.js'
import type { CostlyWork, Target } from './costly-work.js'
import { getWith, sendJson } from './json-requests.js'

/** The numbers of values of the arrays: an array that a user may have, and an array that fills a body. */
const LENGTHS = [12_000, 340_000]

/** The number of items that get an array. */
const ITEMS = 8

/** The items of a resource that any server has, as the controls show them. */
const SAMPLES = '/__admin/fixtures/samples'

/** The position of the first deleted item, and the number of items of one length. */
const DELETED = { from: 24, count: 4 }

/** Creates the kinds of work about items with large arrays, and about indexes. */
export const createArrayWork = ({ ids }: Target): CostlyWork[] => [
  ...LENGTHS.flatMap((length, index) => {
    const from = DELETED.from + index * DELETED.count
    const deleted = ids.slice(from, from + DELETED.count)
    return createWorkOf(length, ids.slice(0, ITEMS), deleted)
  }),
  {
    name: 'indexes made again and again',
    createRequest: (index) => REMAKING[index % REMAKING.length]?.(index, ids) as OutgoingRequest,
  },
]

/** A snapshot makes the next write drop the indexes, and the next lists make them. */
const REMAKING: readonly ((index: number, ids: readonly string[]) => OutgoingRequest)[] = [
  () => ({ method: 'PUT', path: '/__admin/snapshots/indexes' }),
  (index, [id]) => sendJson('PATCH', `${BASE}/${id}`, { changed: index }),
  (index) => getWith(BASE, { query: { formula: `none ${index}` } }),
  (index) => getWith(BASE, { projection: { sort: { name: 1 }, skip: index } }),
]

function createWorkOf(
  length: number,
  ids: readonly string[],
  deleted: readonly string[],
): CostlyWork[] {
  const name = `arrays of ${length.toLocaleString('en-US')}`
  const path = `numbers${length}`
  const write = (id: string, index: number): OutgoingRequest =>
    sendJson('PATCH', `${BASE}/${id}`, { [path]: createNumbers(length, index) })
  const prepare = (): OutgoingRequest[] => ids.map(write)
  const replace = (index: number): OutgoingRequest =>
    sendJson(
      'PUT',
      SAMPLES,
      ids.map((_id) => ({ _id, [path]: createNumbers(length, index) })),
    )
  const query = { [path]: { $exists: true } }
  return [
    {
      name: `sort by ${name}`,
      prepare,
      createRequest: (index) =>
        getWith(BASE, {
          query,
          projection: { sort: { [path]: 1, [`new${index}`]: 1 }, fields: { _id: 1 } },
        }),
    },
    {
      name: `comparisons with ${name}`,
      prepare,
      createRequest: (index) => getWith(BASE, { query: { [path]: { $gt: 1e9 + index } } }),
    },
    {
      name: `fields inside ${name}`,
      prepare,
      createRequest: (index) =>
        getWith(BASE, { query, projection: { fields: { [`${path}.x${index}`]: 1 } } }),
    },
    {
      name: `PATCH of items with ${name}`,
      prepare,
      createRequest: (index) =>
        index % 4 === 0
          ? getWith(BASE, { query: { [path]: { $gt: 1e9 + index } }, projection: { limit: 1 } })
          : sendJson('PATCH', `${BASE}/${ids[index % ids.length]}`, {
              [`${path}.${index % length}`]: -index,
            }),
    },
    {
      name: `fixtures with ${name}`,
      prepare: () => [replace(0)],
      createRequest: (index) =>
        index % 4 === 0 ? replace(index) : { method: 'GET', path: SAMPLES },
    },
    {
      name: `DELETE of items with ${name}`,
      prepare: () => deleted.map(write),
      maxRequests: deleted.length,
      createRequest: (index) => ({ method: 'DELETE', path: `${BASE}/${deleted[index]}` }),
    },
  ]
}

/** Returns numbers whose JSON, of two characters each if there are many, fits into a body. */
const createNumbers = (length: number, index: number): number[] =>
  Array.from({ length }, (_, at) => (length > 100_000 ? (at + index) % 10 : at * 7919 + index))
