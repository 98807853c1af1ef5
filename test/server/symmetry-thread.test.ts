import { Worker } from 'node:worker_threads'

import t from 'tap'

import { searchHere } from '@materials-mock/structures'
import type { Structure } from '@materials-mock/structures'
import { SymmetryThread } from '../../src/server/symmetry-thread.js'
import { build } from '../helpers/build.js'

/** A perfect supercell of a simple cubic crystal. */
function toSupercell(x: number, y: number, z: number) {
  const ids = Array.from({ length: x * y * z }, (_, id) => id)
  return {
    lattice: { a: 3.3 * x, b: 3.3 * y, c: 3.3 * z, alpha: 90, beta: 90, gamma: 90 },
    basis: {
      elements: ids.map((id) => ({ id, value: 'Po' })),
      coordinates: ids.map((id) => ({
        id,
        value: [(id % x) / x, (Math.floor(id / x) % y) / y, Math.floor(id / x / y) / z],
      })),
    },
  }
}

/** 150 atoms at places without an order. */
function toDisordered(): ReturnType<typeof toSupercell> {
  const { lattice, basis } = toSupercell(6, 5, 5)
  const coordinates = basis.coordinates.map(({ id, value }) => ({
    id,
    value: value.map((each, axis) => each + Math.sin(id * id + axis) / 15),
  }))
  return { lattice, basis: { ...basis, coordinates } }
}

const HEADERS = { 'x-account-id': 'ann', 'x-auth-token': 't' }
const ACCOUNT = { _id: 'ann', username: 'ann', password: 'x', tokens: ['t'] }

t.test('twenty searches at once run in the thread', async (t) => {
  const app = await build(t, { fixtures: { accounts: [ACCOUNT], materials: [] } })
  const sent = t.capture(Worker.prototype, 'postMessage', Worker.prototype.postMessage)
  const bodies = [toSupercell(4, 4, 3), toDisordered(), toSupercell(10, 5, 5)]
  const create = async (body: object): Promise<string | undefined> => {
    const url = '/api/2018-10-01/materials/create'
    const payload = { name: 'x', ...body }
    const response = await app.inject({ method: 'PUT', url, headers: HEADERS, payload })
    return /"spaceGroupSymbol":"([^"]*)"/.exec(response.body)?.[1]
  }
  const places = Array.from({ length: 20 }, (_, index) => index % 3)
  const found = await Promise.all(places.map(async (place) => create(bodies[place] ?? {})))
  const expected = ['Pm-3m', 'P1', undefined]
  t.same(
    found,
    places.map((place) => expected[place]),
  )
  for (const [url, payload] of [
    ['/__admin/symmetry', bodies[0]],
    ['/__admin/seed', { materials: [bodies[0]] }],
  ] as const) {
    const response = await app.inject({ method: 'POST', url, payload: payload as object })
    t.match(response.body, 'Pm-3m')
  }
  t.equal(sent().length, 7 + 7 + 2, 'one larger than 150 atoms is not searched')
})

t.test(
  'a search that takes too long finds nothing, and the next one has another thread',
  async (t) => {
    const cube: Structure = {
      cell: { a: 3, b: 3, c: 3, alpha: 90, beta: 90, gamma: 90 },
      atoms: [{ symbol: 'Po', coordinate: [0, 0, 0] }],
    } as never
    const input = JSON.stringify(cube)
    const hasty = new SymmetryThread(0)
    t.equal(await hasty.search(input), undefined)
    await hasty.close()
    const thread = new SymmetryThread()
    t.teardown(() => thread.close())
    const expected = searchHere(cube)
    t.equal(expected?.number, 221)
    let threads = 0
    const count = (): void => void (threads += 1)
    process.on('worker', count)
    t.teardown(() => process.off('worker', count))
    t.same(await Promise.all([thread.search(input), thread.search(input)]), [expected, expected])
    t.same(await thread.search(input), expected)
    t.equal(threads, 1, 'one thread has made all three')
    await thread.close()
    t.equal(await thread.search(input), undefined, 'a closed thread makes no other')
  },
)
