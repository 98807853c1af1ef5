import t from 'tap'

import { build } from '../helpers/build.js'

const SILICON = {
  lattice: { a: 3.867, b: 3.867, c: 3.867, alpha: 60, beta: 60, gamma: 60 },
  basis: {
    elements: [
      { id: 5, value: 'Si' },
      { id: 2, value: 'Si' },
    ],
    coordinates: [
      { id: 2, value: [0.25, 0.25, 0.25] },
      { id: 5, value: [0, 0, 0] },
    ],
  },
}

t.test('the symmetry of a structure, with its standard cells', async (t) => {
  const app = await build(t, { fixtures: {} })
  const find = async (payload: object) => {
    const response = await app.inject({ method: 'POST', url: '/__admin/symmetry', payload })
    return { ...response.json(), status: response.statusCode }
  }
  const { data } = await find(SILICON)
  t.match(data, {
    number: 227,
    spaceGroupSymbol: 'Fd-3m',
    pointGroupSymbol: 'm-3m',
    sites: [{ siteSymmetry: '-43m' }, { siteSymmetry: '-43m' }],
  })
  t.equal(data.primitive.basis.elements.length, 2)
  t.equal(data.conventional.basis.elements.length, 8)
  t.ok(Math.abs(data.conventional.lattice.a - 3.867 * Math.SQRT2) < 1e-6)
  for (const cell of ['primitive', 'conventional'] as const)
    t.match((await find(data[cell])).data, { number: 227 }, cell)

  const many = Array.from({ length: 151 }, (_, id) => id)
  const large = {
    lattice: { ...SILICON.lattice, c: 600 },
    basis: {
      elements: many.map((id) => ({ id, value: 'Si' })),
      coordinates: many.map((id) => ({ id, value: [0, 0, id / 151] })),
    },
  }
  t.match(await find(large), { status: 200, data: {} })
  t.notOk('number' in (await find(large)).data, '151 atoms')
  for (const [body, message] of [
    [{ ...SILICON, lattice: { a: 3 } }, 'lattice.b must be there, and is missing'],
    [{ lattice: SILICON.lattice }, 'basis'],
    [{ ...SILICON, more: 1 }, 'more'],
  ] as const) {
    const { status, message: found } = await find(body)
    t.equal(status, 400)
    t.match(found, message)
  }
})
