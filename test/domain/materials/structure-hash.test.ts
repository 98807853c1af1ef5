import * as fc from 'fast-check'
import t from 'tap'

import { describeStructure } from '../../../src/domain/materials/describe-structure.js'
import type { Basis, Lattice } from '../../../src/schemas/structure.js'

const LATTICE: Lattice = { a: 4, b: 5, c: 6, alpha: 80, beta: 90, gamma: 100, type: 'TRI' }

interface Atom {
  readonly symbol: string
  readonly coordinate: readonly number[]
}

/** Creates a basis with the atoms in this order, with these ids. */
const createBasis = (atoms: readonly Atom[], ids = atoms.map((_, index) => index)): Basis => ({
  elements: atoms.map(({ symbol }, index) => ({ id: ids[index] ?? -1, value: symbol })),
  coordinates: atoms.map(({ coordinate }, index) => ({
    id: ids[index] ?? -1,
    value: [...coordinate],
  })),
})

const computeHash = (basis: Basis, lattice = LATTICE): string =>
  describeStructure({ lattice, basis }).hash

/** A number that is not near a limit of rounding. */
const component = fc.integer({ min: 0, max: 199 }).map((n) => n / 200 + 0.0001)
const atom = fc.record({
  symbol: fc.constantFrom('Si', 'Ge', 'O', 'Fe'),
  coordinate: fc.tuple(component, component, component),
})
const atoms = fc.uniqueArray(atom, {
  minLength: 1,
  maxLength: 8,
  selector: ({ coordinate }) => coordinate.join(),
})

t.test('a hash is 32 hexadecimal digits', async (t) => {
  t.match(computeHash(createBasis([{ symbol: 'Si', coordinate: [0, 0, 0] }])), /^[0-9a-f]{32}$/)
})

t.test('the hash does not depend on the order and the ids of the atoms', async () => {
  const permuted = atoms.chain((original) =>
    fc.tuple(
      fc.constant(original),
      fc.shuffledSubarray(original, { minLength: original.length }),
      fc.uniqueArray(fc.integer({ min: 0, max: 999 }), {
        minLength: original.length,
        maxLength: original.length,
      }),
    ),
  )
  fc.assert(
    fc.property(
      permuted,
      ([original, shuffled, ids]) =>
        computeHash(createBasis(original)) === computeHash(createBasis(shuffled, ids)),
    ),
  )
})

t.test('a periodic image of an atom has the same hash', async () => {
  const steps = fc.tuple(...[1, 2, 3].map(() => fc.integer({ min: -3, max: 3 })))
  fc.assert(
    fc.property(atoms, steps, (original, shift) => {
      const moved = original.map(({ symbol, coordinate }) => ({
        symbol,
        coordinate: coordinate.map((value, axis) => value + (shift[axis] ?? 0)),
      }))
      return computeHash(createBasis(original)) === computeHash(createBasis(moved))
    }),
  )
})

t.test('a moved atom changes the hash', async () => {
  fc.assert(
    fc.property(
      atoms,
      fc.nat(2),
      fc.integer({ min: 2, max: 998 }),
      (original, axis, thousandths) => {
        const [first, ...others] = original
        if (first === undefined) return false
        const coordinate = first.coordinate.map(
          (value, index) => value + (index === axis ? thousandths / 1000 : 0),
        )
        const moved = [{ ...first, coordinate }, ...others]
        const isOccupied = others.some((other) => isSamePoint(other.coordinate, coordinate))
        return isOccupied || computeHash(createBasis(original)) !== computeHash(createBasis(moved))
      },
    ),
  )
})

/** Whether two points are periodic images of each other. */
const isSamePoint = (left: readonly number[], right: readonly number[]): boolean =>
  left.every((value, axis) => {
    const distance = Math.abs(value - (right[axis] ?? 0)) % 1
    return Math.min(distance, 1 - distance) < 0.001
  })

t.test('the hash depends on the cell, the elements and the labels, to a thousandth', async (t) => {
  const pair = [
    { symbol: 'Fe', coordinate: [0, 0, 0] },
    { symbol: 'O', coordinate: [0.5, 0.5, 0.5] },
  ]
  const hash = computeHash(createBasis(pair))
  const swapped = [
    { symbol: 'O', coordinate: [0, 0, 0] },
    { symbol: 'Fe', coordinate: [0.5, 0.5, 0.5] },
  ]
  const noise = [
    { symbol: 'Fe', coordinate: [0.9999, -0.0001, 0.0001] },
    { symbol: 'O', coordinate: [0.5001, 0.4999, 0.5] },
  ]
  const labelled = { ...createBasis(pair), labels: [{ id: 0, value: 1 }] }
  t.equal(computeHash(createBasis(noise)), hash, 'changes below half a thousandth of an edge')
  t.equal(
    computeHash(createBasis(pair), { ...LATTICE, type: 'CUB', a: 4.0001 }),
    hash,
    'the type of the lattice',
  )
  t.not(computeHash(createBasis(pair), { ...LATTICE, a: 4.001 }), hash, 'a length')
  t.not(computeHash(createBasis(pair), { ...LATTICE, gamma: 100.1 }), hash, 'an angle')
  t.not(computeHash(createBasis(swapped)), hash, 'swapped elements')
  t.not(computeHash(labelled), hash, 'a label')
})

t.test('a structure has the same hash in Cartesian and in crystal units', async (t) => {
  const cubic = { a: 4, b: 4, c: 4, alpha: 90, beta: 90, gamma: 90 }
  const crystal = createBasis([{ symbol: 'Si', coordinate: [0.25, 0.5, 0.75] }])
  const cartesian = createBasis([{ symbol: 'Si', coordinate: [1, 2, 3] }])
  t.equal(computeHash({ ...cartesian, units: 'cartesian' }, cubic), computeHash(crystal, cubic))
  t.not(computeHash(cartesian, cubic), computeHash(crystal, cubic))
})
