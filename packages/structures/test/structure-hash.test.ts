import { createHash } from 'node:crypto'

import * as fc from 'fast-check'
import t from 'tap'

import type { Basis, Lattice } from '@materials-mock/api'
import { describeStructure } from '../src/computed-fields.js'

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

const md5 = (text: string): string => createHash('md5').update(text).digest('hex')

t.test('silicon (PDF 27-1402) has the hashes that the platform gives it', async (t) => {
  const basis = createBasis([
    { symbol: 'Si', coordinate: [0, 0, 0] },
    { symbol: 'Si', coordinate: [0.25, 0.25, 0.25] },
  ])
  const lattice: Lattice = { a: 3.867, b: 3.867, c: 3.867, alpha: 60, beta: 60, gamma: 59.99999 }
  t.match(describeStructure({ lattice, basis }), {
    hash: 'a665723ef7429caef6ca89385fe25bae',
    scaledHash: '87e416358789a7c435eaaba0344af51d',
  })
})

t.test('the hashes are those of a text with rounded numbers', async (t) => {
  const cases: [coordinate: number, text: string][] = [
    [0.25, '0.25'],
    [-0.25, '0.75'],
    [3.5, '0.5'],
    [0.1234, '0.123'],
    [0.1239, '0.124'],
    // a half of the decimal number, whose double is a little smaller
    [0.0015, '0.002'],
    // -1.8285 + 2 is less than 0.1715
    [-1.8285, '0.171'],
    [0.9998, '0'],
    [0.9996, '0'],
    // within a thousandth of a face of the cell, as in made
    [0.9991, '0'],
    [0.001, '0'],
    [0.0011, '0.001'],
    [0.9989, '0.999'],
    [0.9984, '0.998'],
    [-1e-20, '0'],
  ]
  for (const [coordinate, text] of cases) {
    const basis = createBasis([{ symbol: 'Fe', coordinate: [0.5, coordinate, 0.5] }])
    const lattice = { a: 2, b: 3.0005, c: 1_000_000, alpha: 90, beta: 90.1234, gamma: 90 }
    const labelled = { ...basis, labels: [{ id: 0, value: 2 }] }
    t.equal(
      describeStructure({ lattice, basis: labelled }).hash,
      md5(`Fe2 0.5,${text},0.5;#2;3.001;1000000;90;90.123;90;#`),
      String(coordinate),
    )
    t.equal(
      describeStructure({ lattice, basis }).scaledHash,
      md5(`Fe 0.5,${text},0.5;#1;1.5;500000;90;90.123;90;#`),
      `${coordinate}, scaled`,
    )
  }
})

const computeId = (basis: Basis): string => describeStructure({ lattice: LATTICE, basis }).exabyteId

t.test('equal structures share an exabyteId, and others do not', async (t) => {
  const basis = createBasis([{ symbol: 'Si', coordinate: [0, 0, 0] }])
  const image = createBasis([{ symbol: 'Si', coordinate: [0, 0, 1] }], [7])
  const other = createBasis([{ symbol: 'Ge', coordinate: [0, 0, 0] }])
  t.match(computeId(basis), /^[2-9A-HJ-NP-TW-Za-km-z]{17}$/)
  t.equal(computeId(image), computeId(basis))
  t.not(computeId(other), computeId(basis))
})

t.test('the atoms are numbered from 0 in the order of the elements', async (t) => {
  const basis: Basis = {
    elements: [
      { id: 7, value: 'Si' },
      { id: 2, value: 'Ge' },
    ],
    coordinates: [
      { id: 2, value: [0.5, 0.5, 0.5] },
      { id: 7, value: [0, 0, 0] },
    ],
    constraints: [{ id: 2, value: [true, true, false] }],
    labels: [
      { id: 2, value: 'b' },
      { id: 7, value: 'a' },
    ],
  }
  t.match(describeStructure({ lattice: LATTICE, basis }).basis, {
    elements: [
      { id: 0, value: 'Si' },
      { id: 1, value: 'Ge' },
    ],
    coordinates: [
      { id: 0, value: [0, 0, 0] },
      { id: 1, value: [0.5, 0.5, 0.5] },
    ],
    constraints: [{ id: 1, value: [true, true, false] }],
    labels: [
      { id: 0, value: 'a' },
      { id: 1, value: 'b' },
    ],
  })
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
      // an atom within a thousandth of a face is on the face
      fc.integer({ min: 3, max: 997 }),
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
