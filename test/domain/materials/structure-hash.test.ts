import * as fc from 'fast-check'
import t from 'tap'

import { describeStructure } from '../../../src/domain/materials/describe-structure.js'
import type { Basis, Lattice } from '../../../src/schemas/structure.js'

const lattice: Lattice = { a: 4, b: 5, c: 6, alpha: 80, beta: 90, gamma: 100, type: 'TRI' }

interface Atom {
  readonly symbol: string
  readonly at: readonly number[]
}

/** A basis that lists the atoms in this order, with these ids. */
const basisOf = (atoms: readonly Atom[], ids = atoms.map((_, index) => index)): Basis => ({
  elements: atoms.map(({ symbol }, index) => ({ id: ids[index] ?? -1, value: symbol })),
  coordinates: atoms.map(({ at }, index) => ({ id: ids[index] ?? -1, value: [...at] })),
})

const hashOf = (basis: Basis, cell = lattice): string =>
  describeStructure({ lattice: cell, basis }).hash

/** Away from the limits of rounding, so that what is said of rounding elsewhere plays no part. */
const coordinate = fc.integer({ min: 0, max: 199 }).map((n) => n / 200 + 0.0001)
const atom = fc.record({
  symbol: fc.constantFrom('Si', 'Ge', 'O', 'Fe'),
  at: fc.tuple(coordinate, coordinate, coordinate),
})
const atoms = fc.uniqueArray(atom, { minLength: 1, maxLength: 8, selector: ({ at }) => at.join() })

t.test('a hash is 32 hexadecimal digits', async (t) => {
  t.match(hashOf(basisOf([{ symbol: 'Si', at: [0, 0, 0] }])), /^[0-9a-f]{32}$/)
})

t.test('the order and the numbers of the atoms make no difference', async () => {
  const listed = atoms.chain((list) =>
    fc.tuple(
      fc.constant(list),
      fc.shuffledSubarray(list, { minLength: list.length }),
      fc.uniqueArray(fc.integer({ min: 0, max: 999 }), {
        minLength: list.length,
        maxLength: list.length,
      }),
    ),
  )
  fc.assert(
    fc.property(
      listed,
      ([list, shuffled, ids]) => hashOf(basisOf(list)) === hashOf(basisOf(shuffled, ids)),
    ),
  )
})

t.test('an atom’s image in another cell is the same atom', async () => {
  const steps = fc.tuple(...[1, 2, 3].map(() => fc.integer({ min: -3, max: 3 })))
  fc.assert(
    fc.property(atoms, steps, (list, shift) => {
      const moved = list.map(({ symbol, at }) => ({
        symbol,
        at: at.map((value, axis) => value + (shift[axis] ?? 0)),
      }))
      return hashOf(basisOf(list)) === hashOf(basisOf(moved))
    }),
  )
})

t.test('an atom that moves makes a difference', async () => {
  fc.assert(
    fc.property(atoms, fc.nat(2), fc.integer({ min: 2, max: 998 }), (list, axis, thousandths) => {
      const [first, ...others] = list
      if (first === undefined) return false
      const at = first.at.map((value, index) => value + (index === axis ? thousandths / 1000 : 0))
      const moved = [{ ...first, at }, ...others]
      const isTaken = others.some(({ at: taken }) => isSamePlace(taken, at))
      return isTaken || hashOf(basisOf(list)) !== hashOf(basisOf(moved))
    }),
  )
})

/** Whether two points are the same but for whole edges. */
const isSamePlace = (left: readonly number[], right: readonly number[]): boolean =>
  left.every((value, axis) => {
    const apart = Math.abs(value - (right[axis] ?? 0)) % 1
    return Math.min(apart, 1 - apart) < 0.001
  })

t.test('what else makes a difference, and what does not', async (t) => {
  const pair = [
    { symbol: 'Fe', at: [0, 0, 0] },
    { symbol: 'O', at: [0.5, 0.5, 0.5] },
  ]
  const hash = hashOf(basisOf(pair))
  const swapped = [
    { symbol: 'O', at: [0, 0, 0] },
    { symbol: 'Fe', at: [0.5, 0.5, 0.5] },
  ]
  const noise = [
    { symbol: 'Fe', at: [0.9999, -0.0001, 0.0001] },
    { symbol: 'O', at: [0.5001, 0.4999, 0.5] },
  ]
  const label = { ...basisOf(pair), labels: [{ id: 0, value: 1 }] }
  t.equal(hashOf(basisOf(noise)), hash, 'less than half a thousandth of an edge')
  t.equal(hashOf(basisOf(pair), { ...lattice, type: 'CUB', a: 4.0001 }), hash, 'the lattice’s name')
  t.not(hashOf(basisOf(pair), { ...lattice, a: 4.001 }), hash, 'a length')
  t.not(hashOf(basisOf(pair), { ...lattice, gamma: 100.1 }), hash, 'an angle')
  t.not(hashOf(basisOf(swapped)), hash, 'which element is where')
  t.not(hashOf(label), hash, 'a label')
})

t.test('cartesian and crystal coordinates of one structure have one hash', async (t) => {
  const cubic = { a: 4, b: 4, c: 4, alpha: 90, beta: 90, gamma: 90 }
  const crystal = basisOf([{ symbol: 'Si', at: [0.25, 0.5, 0.75] }])
  const cartesian = basisOf([{ symbol: 'Si', at: [1, 2, 3] }])
  t.equal(hashOf({ ...cartesian, units: 'cartesian' }, cubic), hashOf(crystal, cubic))
  t.not(hashOf(cartesian, cubic), hashOf(crystal, cubic))
})
