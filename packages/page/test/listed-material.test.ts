import t from 'tap'

import type { JsonObject } from '@materials-mock/json'
import { createColumn } from '../src/table/columns.js'
import {
  completeColumns,
  formatLengths,
  isMaterial,
  MATERIAL_FIELDS,
  SORT_BY_ATOMS,
} from '../src/table/listed-material.js'
import { compileExpression } from '../../query/test/expressions/run-expression.js'

const createBasis = (count: number): JsonObject => ({
  elements: Array.from({ length: count }, (_, id) => ({ id, value: 'Si' })),
})
const DENSITY = { name: 'density', value: 2.33 }
const OTHER = { name: 'volume', value: 40 }

/** Returns what a list computes for a material. */
const compute = (item: JsonObject): JsonObject => {
  const { atoms, density } = MATERIAL_FIELDS
  return compileExpression({ ...atoms, ...density })(item) as JsonObject
}

t.test('a list of materials computes what its columns show', async (t) => {
  for (const [item, expected] of [
    [{}, { _atoms: 0, _densityAt: -1 }],
    [{ basis: createBasis(2) }, { _atoms: 2, _densityAt: -1 }],
    [{ basis: { elements: 'none' } }, { _atoms: 0, _densityAt: -1 }],
    [{ derivedProperties: [DENSITY] }, { _atoms: 0, _density: 2.33, _densityAt: 0 }],
    [{ derivedProperties: [OTHER, DENSITY] }, { _atoms: 0, _density: 2.33, _densityAt: 1 }],
    [{ derivedProperties: 'none' }, { _atoms: 0, _densityAt: -1 }],
  ] as const)
    t.same(compute(item), expected)
})

t.test('lengths of a lattice are written once if they are equal', async (t) => {
  for (const [a, b, c, text] of [
    [3, 3, 3, '3.000'],
    [3, 3, 5, '3.000 × 5.000'],
    [3, 5, 5, '3.000 × 5.000'],
    [3, 5, 3, '3.000 × 5.000 × 3.000'],
    [3, 3.0009, 3.0018, '3.000'],
    [3, 3.0012, 3, '3.000 × 3.001 × 3.000'],
    [3, null, '5', '3.000'],
  ] as const)
    t.equal(formatLengths({ lattice: { a, b, c } }), text)
  t.equal(formatLengths({}), '')
})

t.test('the density sorts by its place among the properties of the shown items', async (t) => {
  const columns = [
    { title: 'Density', fields: MATERIAL_FIELDS.density, cell: () => '' },
    createColumn('Density'),
  ]
  const [own] = completeColumns(columns, [{}, { _densityAt: -1 }, { _densityAt: 2 }])
  t.match(own, {
    sortPath: 'derivedProperties.2.value',
    misfits: {
      'derivedProperties.name': 'density',
      'derivedProperties.2.name': { $ne: 'density' },
    },
  })
  t.same(completeColumns(columns, [{}, { _densityAt: -1 }]), columns, 'no item has one')
  t.equal(completeColumns(columns, [{ _densityAt: 0 }])[1], columns[1], 'a field of this name')
})

t.test('atoms whose ids do not count up from 0 would sort wrongly', async (t) => {
  const isMisfit = compileExpression(SORT_BY_ATOMS.misfits.$expr)
  for (const [ids, expected] of [
    [undefined, false],
    [[], false],
    [[0, 1, 2], false],
    [[2, 0, 1], false],
    [[1, 2], true],
    [[0, 7], true],
  ] as const) {
    const basis = { elements: ids?.map((id) => ({ id, value: 'Si' })) as never }
    t.equal(isMisfit({ basis }), expected, `${ids}`)
  }
})

t.test('a material has a lattice and a basis', async (t) => {
  const basis = createBasis(1)
  t.ok(isMaterial({ lattice: {}, basis }))
  for (const item of [
    { basis },
    { lattice: {} },
    { lattice: [], basis },
    { lattice: {}, basis: {} },
  ])
    t.notOk(isMaterial(item))
})
