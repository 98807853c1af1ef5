import { BASE } from '../workloads/our-path.js'
import type { CostlyWork, Target } from './costly-work.js'
import { sendJson, toSlowPattern } from './json-requests.js'

/** The length of the large bodies. The server accepts 1 MiB. */
const BODY_LENGTH = 1_000_000

/** Creates the kinds of work of requests with bodies. */
export function createBodyWork({ ids }: Target): CostlyWork[] {
  const [pulled, pushed] = ids.map((id) => `${BASE}/${id}`) as [string, string]
  return [
    {
      name: 'PATCH: $pull by a costly pattern',
      prepare: () => [sendJson('PATCH', pulled, { texts: createArray(2000, toText) })],
      createRequest: (index) =>
        sendJson('PATCH', pulled, { $pull: { texts: { $regex: toSlowPattern(index) } } }),
    },
    {
      name: 'PATCH: $push with $sort, array of 30,000',
      prepare: () => [sendJson('PATCH', pushed, { objects: createArray(ARRAY_LENGTH, toObject) })],
      createRequest: (index) =>
        sendJson('PATCH', pushed, {
          $push: {
            objects: {
              $each: [{ n: index, t: 'new' }],
              $sort: index % 2 === 0 ? { t: 1, n: -1 } : { t: -1, n: 1 },
              $slice: ARRAY_LENGTH,
            },
          },
        }),
    },
    {
      name: 'PUT of a deep and wide item of 1 MB',
      maxRequests: 200,
      createRequest: (index) => sendJson('PUT', `${BASE}/create`, WIDE.replace('NAME', `${index}`)),
    },
    {
      name: 'import of a POSCAR file with 10,000 atoms',
      maxRequests: 60,
      createRequest: (index) =>
        sendJson('POST', `${BASE}/import`, `${POSCAR.slice(0, -1)},"name":"large ${index}"}`),
    },
    {
      name: 'malformed JSON of 1 MB',
      createRequest: (index) => sendJson('PUT', `${BASE}/create`, `${MALFORMED}${index % 10}`),
    },
    {
      name: 'a key twice at the end of 1 MB',
      createRequest: (index) =>
        sendJson('PUT', `${BASE}/create`, `${UNIQUE_KEYS}, "name": "${index}", "name": 0}`),
    },
  ]
}

/** The number of objects in the array that `$push` sorts: about as many as fit into one body. */
const ARRAY_LENGTH = 30_000

const createArray = <T>(length: number, create: (index: number) => T): T[] =>
  Array.from({ length }, (_, index) => create(index))

const toText = (index: number): string => `${'a'.repeat(40)} ${index}`

const toObject = (index: number): object => ({ n: index * 7919, t: `t${index % 10}` })

/** The levels of the deep part. The server accepts 50 in an item. */
const DEPTH = 44

const DEEP = `${'{"a":['.repeat(DEPTH / 2)}0${']}'.repeat(DEPTH / 2)}`

/** An item with a deep part and tens of thousands of objects with a key each: one may have 20,000. */
const WIDE = `{"name":"NAME","deep":${DEEP},"wide":${fill('[', (key) => `{"k${key}":{"v":[${key}]}}`, ']')}}`

/** A JSON text whose error is at its end. */
const MALFORMED = fill('{"a":[', (key) => String(key), ']}}')

/** An open object with blanks, so that its keys have to be compared. */
const UNIQUE_KEYS = fill('{', (key) => `"k${key}": ${key}`, '')

/** As many as an import may have. */
const ATOMS = 10_000

const POSCAR = JSON.stringify({
  format: 'poscar',
  content: [
    'many atoms',
    '1.0',
    '100 0 0',
    '0 100 0',
    '0 0 100',
    'Si',
    String(ATOMS),
    'direct',
    ...createArray(ATOMS, (index) => `0.${index + 1} 0.5 0`),
  ].join('\n'),
})

/** Returns a text of almost `BODY_LENGTH` characters, with parts that are separated by commas. */
function fill(start: string, toPart: (key: number) => string, end: string): string {
  const parts: string[] = []
  let length = 0
  for (let key = 0; length < BODY_LENGTH - 2000; key += 1) {
    const part = toPart(key)
    parts.push(part)
    length += part.length + 1
  }
  return start + parts.join(',') + end
}
