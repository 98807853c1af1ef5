import * as fc from 'fast-check'
import t from 'tap'

import {
  computeDeterminant,
  computeVolume,
  isPossibleCell,
  toCellParameters,
  toCellVectors,
  toCrystalCoordinates,
} from '../src/cell.js'
import type { CellParameters } from '../src/cell.js'

const createCell = (...[a, b, c, alpha, beta, gamma]: number[]): CellParameters =>
  ({ a, b, c, alpha, beta, gamma }) as CellParameters

/** Whether all numbers of two arrays are equal to within 1e-6. */
const isNear = (left: readonly number[], right: readonly number[]): boolean =>
  left.every((value, index) => Math.abs(value - (right[index] ?? Infinity)) < 1e-6)

t.test('the edges and the volume of each kind of cell', async (t) => {
  const half = Math.sqrt(3) / 2
  const cases: [name: string, CellParameters, edges: number[], volume: number][] = [
    ['cubic', createCell(2, 2, 2, 90, 90, 90), [2, 0, 0, 0, 2, 0, 0, 0, 2], 8],
    ['orthorhombic', createCell(2, 3, 4, 90, 90, 90), [2, 0, 0, 0, 3, 0, 0, 0, 4], 24],
    ['hexagonal', createCell(2, 2, 3, 90, 90, 120), [2, 0, 0, -1, 2 * half, 0, 0, 0, 3], 12 * half],
    // a^3/4 of the cubic cell, whose a is sqrt(2) times as long
    [
      'face-centred, primitive',
      createCell(1, 1, 1, 60, 60, 60),
      [half, 0, 0.5, half / 3, Math.sqrt(2 / 3), 0.5, 0, 0, 1],
      Math.SQRT1_2,
    ],
    // a^3/2 of the cubic cell, whose a is 2/sqrt(3) times as long
    [
      'body-centred, primitive',
      createCell(1, 1, 1, 109.4712206, 109.4712206, 109.4712206),
      [Math.sqrt(8) / 3, 0, -1 / 3, -Math.sqrt(2) / 3, Math.sqrt(2 / 3), -1 / 3, 0, 0, 1],
      4 / (3 * Math.sqrt(3)),
    ],
    [
      'monoclinic',
      createCell(2, 3, 4, 90, 120, 90),
      [2 * half, 0, -1, 0, 3, 0, 0, 0, 4],
      24 * half,
    ],
    // calculated from |b|, a·b and b·c, without the angle between reciprocal edges
    [
      'rhombohedral',
      createCell(4, 4, 4, 80, 80, 80),
      [3.939231, 0, 0.694593, 0.582832, 3.895876, 0.694593, 0, 0, 4],
      61.387017,
    ],
    [
      'triclinic',
      createCell(3, 4, 5, 70, 80, 100),
      [2.954423, 0, 0.520945, -0.946537, 3.63764, 1.368081, 0, 0, 5],
      53.735636,
    ],
  ]
  for (const [name, parameters, edges, volume] of cases) {
    const found = toCellVectors(parameters).flat()
    t.ok(isNear(found, edges), `${name}: ${found.join()}`)
    t.ok(isNear([computeVolume(parameters)], [volume]), `${name}: ${computeVolume(parameters)} Å^3`)
  }
})

t.test('angles that no three edges can have are impossible', async (t) => {
  t.ok(isPossibleCell(createCell(1, 1, 1, 119, 119, 119)))
  t.notOk(isPossibleCell(createCell(1, 1, 1, 120, 120, 120)), 'the edges lie in a plane')
  t.notOk(isPossibleCell(createCell(1, 1, 1, 30, 40, 90)), 'two angles too small for the third')
  t.notOk(isPossibleCell(createCell(1, 1, 1, 170, 170, 170)))
})

const length = fc.double({ min: 0.5, max: 50, noNaN: true })
const angle = fc.double({ min: 20, max: 160, noNaN: true })
/** Cells that are not too flat for the tolerance of the comparisons. */
const anyCell = fc
  .record({ a: length, b: length, c: length, alpha: angle, beta: angle, gamma: angle })
  .filter((parameters) => computeVolume({ ...parameters, a: 1, b: 1, c: 1 }) > 0.01)
const anyPoint = fc.tuple(...[1, 2, 3].map(() => fc.double({ min: -3, max: 3, noNaN: true })))

t.test('the volume is the determinant of the edges', async () => {
  fc.assert(
    fc.property(anyCell, (parameters) => {
      const volume = computeVolume(parameters)
      return Math.abs(volume - computeDeterminant(toCellVectors(parameters))) < 1e-9 * (1 + volume)
    }),
  )
})

t.test('the edges have the lengths and angles of the cell', async () => {
  fc.assert(
    fc.property(anyCell, (parameters) => {
      const found = toCellParameters(toCellVectors(parameters))
      return Object.entries(parameters).every(
        ([key, value]) => Math.abs(value - found[key as keyof CellParameters]) < 1e-6,
      )
    }),
  )
})

t.test(
  'a point that is converted from crystal to Cartesian units and back is the same',
  async () => {
    fc.assert(
      fc.property(anyCell, anyPoint, (parameters, [x = 0, y = 0, z = 0]) => {
        const [a, b, c] = toCellVectors(parameters)
        const component = (axis: 0 | 1 | 2) => x * a[axis] + y * b[axis] + z * c[axis]
        return isNear(toCrystalCoordinates([component(0), component(1), component(2)], [a, b, c]), [
          x,
          y,
          z,
        ])
      }),
    )
  },
)
