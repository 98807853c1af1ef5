import { readFileSync } from 'node:fs'

import * as fc from 'fast-check'
import t from 'tap'

import { toCartesian } from '../src/cell.js'
import type { CellVectors } from '../src/cell.js'
import { findCovalentRadius } from '../src/elements.js'
import { BOND_FACTOR, findBondKinds, findBondNature, findBonds } from '../src/geometry/bonds.js'
import type { Bond } from '../src/geometry/bonds.js'
import { isDrawable, readCrystal } from '../src/geometry/crystal.js'
import type { Crystal, DrawableMaterial } from '../src/geometry/crystal.js'
import { visitNeighbourPairs } from '../src/geometry/neighbour-pairs.js'
import {
  countAtoms,
  listCellEdges,
  placeAtoms,
  placeHalfBonds,
} from '../../page/src/structure/supercell.js'
import type { Supercell } from '../../page/src/structure/supercell.js'
import type { Vector } from '../src/vector.js'
import { BENZENE, METHANE, NACL, SILICON, WATER, createMaterial } from './structures.js'

type Shipped = DrawableMaterial & { readonly name: string; readonly basis: { elements: unknown[] } }

const SHIPPED: readonly Shipped[] = JSON.parse(
  readFileSync(new URL('../../../fixtures/materials.json', import.meta.url), 'utf8'),
)

/** @param name the beginning of the name of a shipped material */
function findShipped(name: string): Shipped {
  const found = SHIPPED.find((material) => material.name.startsWith(name))
  if (found === undefined) throw new Error(`no ${name}`)
  return found
}

function readStructure(material: DrawableMaterial): Crystal {
  const crystal = readCrystal(material)
  if (!isDrawable(crystal)) throw new Error(crystal.reason)
  return crystal
}

/** The bonds that are drawn, by their elements: `{ 'Na-Cl': 6 }`. */
const countBonds = (crystal: Crystal): Record<string, number> =>
  Object.fromEntries(
    findBondKinds(crystal.sites, findBonds(crystal).bonds)
      .filter(({ isDrawn }) => isDrawn)
      .map(({ symbols, bonds }) => [symbols.join('-'), bonds.length]),
  )

/** The number of bonds of each site. */
function countNeighbours({ sites }: Crystal, bonds: readonly Bond[]): number[] {
  const counts = sites.map(() => 0)
  for (const { from, to } of bonds)
    for (const end of [from, to]) counts[end] = (counts[end] ?? 0) + 1
  return counts
}

/** Returns a crystal with the same atoms, in a cell that is a supercell of the given one. */
function repeatCell(crystal: Crystal, counts: Supercell): Crystal {
  const [u, v, w] = counts
  const sites = [...Array(u * v * w).keys()].flatMap((number) => {
    const cell = [number % u, Math.floor(number / u) % v, Math.floor(number / u / v)]
    return crystal.sites.map((site) => ({
      ...site,
      coordinate: site.coordinate.map(
        (value, axis) => (value + (cell[axis] ?? 0)) / (counts[axis] ?? 1),
      ) as unknown as Vector,
    }))
  })
  const vectors = crystal.vectors.map((edge, axis) => edge.map((x) => x * (counts[axis] ?? 1)))
  return { ...crystal, sites, vectors: vectors as unknown as CellVectors }
}

t.test('the bonds are those of textbooks', async (t) => {
  const cases: [name: string, DrawableMaterial, Record<string, number>, neighbours: number[]][] = [
    ['NaCl', findShipped('NaCl'), { 'Na-Cl': 6 }, [6, 6]],
    ['NaCl, cubic cell', NACL, { 'Na-Cl': 24 }, [6, 6, 6, 6, 6, 6, 6, 6]],
    ['Si, cubic cell', SILICON, { 'Si-Si': 16 }, [4, 4, 4, 4, 4, 4, 4, 4]],
    ['Si', findShipped('Silicon FCC'), { 'Si-Si': 4 }, [4, 4]],
    ['diamond', findShipped('C, Diamond'), { 'C-C': 4 }, [4, 4]],
    ['graphene', findShipped('C, Graphene, HEX'), { 'C-C': 3 }, [3, 3]],
    ['copper', findShipped('Cu'), { 'Cu-Cu': 6 }, [12]],
    ['GaAs', findShipped('GaAs'), { 'Ga-As': 4 }, [4, 4]],
    ['MoS2', findShipped('MoS2, Molybdenum Disulfide, HEX (P-6m2)'), { 'Mo-S': 6 }, [6, 3, 3]],
    ['quartz', findShipped('SiO2, Quartz'), { 'Si-O': 12 }, [4, 4, 4, 2, 2, 2, 2, 2, 2]],
    ['SrTiO3', findShipped('SrTiO3'), { 'Sr-O': 12, 'Ti-O': 6 }, [12, 6, 6, 6, 6]],
    ['nitrogen', findShipped('N2'), { 'N-N': 4 }, [1, 1, 1, 1, 1, 1, 1, 1]],
    ['water', WATER, { 'H-O': 2 }, [2, 1, 1]],
    ['methane', METHANE, { 'H-C': 4 }, [4, 1, 1, 1, 1]],
    ['benzene', BENZENE, { 'C-C': 6, 'H-C': 6 }, [3, 3, 3, 3, 3, 3, 1, 1, 1, 1, 1, 1]],
  ]
  for (const [name, material, bonds, neighbours] of cases) {
    const crystal = readStructure(material)
    t.same(countBonds(crystal), bonds, name)
    const drawn = findBondKinds(crystal.sites, findBonds(crystal).bonds)
      .filter(({ isDrawn }) => isDrawn)
      .flatMap(({ bonds: each }) => each)
    t.same(countNeighbours(crystal, drawn).toSorted(), neighbours.toSorted(), `${name}, neighbours`)
  }
})

t.test('each atom of the 74 shipped structures has a bond', async (t) => {
  t.equal(SHIPPED.length, 74)
  for (const material of SHIPPED) {
    const crystal = readStructure(material)
    const { bonds, isComplete } = findBonds(crystal)
    t.ok(isComplete && countNeighbours(crystal, bonds).every((count) => count > 0), material.name)
    t.ok(Object.keys(countBonds(crystal)).length > 0, `${material.name}, drawn`)
  }
})

t.test('the border of the cell and small or skewed cells do not hide bonds', async (t) => {
  const cubic = 4.05 / Math.SQRT2
  const cases: [name: string, lattice: object, neighbours: number][] = [
    [
      'fcc aluminium, primitive',
      { a: cubic, b: cubic, c: cubic, alpha: 60, beta: 60, gamma: 60 },
      12,
    ],
    // The same lattice: a, a + b in place of b, and c + 3a + 2b in place of c
    [
      'fcc aluminium, strongly skewed',
      {
        vectors: {
          a: [0, 2.025, 2.025],
          b: [2.025, 2.025, 4.05],
          c: [2.025 + 4.05, 2.025 + 6.075, 6.075 + 4.05],
        },
      },
      12,
    ],
    ['a chain with a short edge', { a: 1, b: 20, c: 20, alpha: 90, beta: 90, gamma: 90 }, 4],
  ]
  for (const [name, lattice, neighbours] of cases) {
    const basis = {
      elements: [{ id: 0, value: 'Al' }],
      coordinates: [{ id: 0, value: [7.3, -2.1, 0.5] }],
    }
    const crystal = readStructure({ lattice, basis })
    t.same(countNeighbours(crystal, findBonds(crystal).bonds), [neighbours], name)
  }
})

t.test('an absurdly small cell ends the search', async (t) => {
  const crystal = readStructure(createMaterial([0.01, 0.01, 0.01], [['Si', 0, 0, 0]]))
  t.equal(findBonds(crystal).isComplete, false)
})

const createPair = (second: string, z: number): DrawableMaterial =>
  createMaterial(
    [20, 20, 20],
    [
      ['Si', 0, 0, 0],
      [second, 0, 0, z / 20],
    ],
  )

t.test('thousands of atoms are within the bound on comparisons', async (t) => {
  const large = repeatCell(readStructure(SILICON), [10, 10, 10])
  const { bonds, isComplete } = findBonds(large)
  t.same([large.sites.length, bonds.length, isComplete], [8000, 16_000, true])
})

t.test('a search among many atoms of one place is cut into steps', async (t) => {
  const points = Array.from({ length: 300 }, (_, n): Vector => [n / 300, 0, 0])
  const vectors: CellVectors = [[3, 0, 0], [0, 3, 0], [0, 0, 3]] // prettier-ignore
  const steps = [...visitNeighbourPairs({ points, vectors, isPeriodic: true }, 3, () => {})]
  t.ok(steps.length > 100, `${steps.length} steps for ${27 * 300 ** 2} comparisons`)
})

t.test('unknown elements, distant atoms and atoms in one place have no bonds', async (t) => {
  const cases: [string, DrawableMaterial, number][] = [
    ['near', createPair('Si', 2.6), 1],
    ['far', createPair('Si', 2.7), 0],
    ['in one place', createPair('Si', 0.1), 0],
    ['unknown', createPair('Xx', 1), 0],
  ]
  for (const [name, material, count] of cases)
    t.equal(findBonds(readStructure(material)).bonds.length, count, name)
})

t.test('a bond has the nature that its elements have', async (t) => {
  const cases: [string, string, string][] = [
    ['Na', 'Cl', 'ionic'],
    ['O', 'Ti', 'ionic'],
    ['Ga', 'As', 'covalent'],
    ['Si', 'O', 'covalent'],
    ['H', 'F', 'covalent'],
    ['Mo', 'Mo', 'metallic'],
    ['Sr', 'Ti', 'metallic'],
  ]
  for (const [one, other, nature] of cases)
    t.equal(findBondNature(one, other), nature, `${one}-${other}`)
})

function listKinds(crystal: Crystal): string[] {
  return findBondKinds(crystal.sites, findBonds(crystal).bonds)
    .map(({ symbols, isDrawn }) => `${symbols.join('-')} ${isDrawn ? 'drawn' : 'left out'}`)
    .toSorted()
}

t.test('contacts of metals are drawn in metals, and not beside bonds to nonmetals', async (t) => {
  t.same(listKinds(readStructure(findShipped('Cu'))), ['Cu-Cu drawn'])
  t.same(listKinds(readStructure(findShipped('SrTiO3'))), [
    'Sr-O drawn',
    'Sr-Sr left out',
    'Sr-Ti left out',
    'Ti-O drawn',
  ])
})

const place = (...point: [number, number, number]): DrawableMaterial =>
  createMaterial([4, 5, 6], [['Si', ...point]])

t.test('atoms on faces, edges and corners are repeated, each place once', async (t) => {
  const cases: [name: string, DrawableMaterial, supercell: Vector, drawn: number][] = [
    ['inside', place(0.5, 0.5, 0.5), [1, 1, 1], 1],
    ['on a face', place(0, 0.5, 0.5), [1, 1, 1], 2],
    ['on an edge', place(0, 0.5, 0), [1, 1, 1], 4],
    ['on a corner', place(0, 0, 0), [1, 1, 1], 8],
    ['on a corner, nearly', place(0.9999, -0.0001, 2.0001), [1, 1, 1], 8],
    ['inside, in another cell', place(-3.5, 7.5, 0.5), [1, 1, 1], 1],
    ['on a face of a supercell', place(0, 0.5, 0.5), [2, 3, 1], 9],
    ['on a corner of a supercell', place(0, 0, 0), [5, 5, 5], 216],
    ['NaCl', NACL, [1, 1, 1], 27],
    ['a molecule', BENZENE, [3, 3, 3], 12],
  ]
  for (const [name, material, [u, v, w], drawn] of cases) {
    const atoms = placeAtoms(readStructure(material), [u, v, w])
    t.equal(atoms.length, drawn, name)
    const places = new Set(atoms.map(({ position }) => position.map((x) => x.toFixed(2)).join()))
    t.equal(places.size, drawn, `${name}: each place once`)
  }
})

t.test('the edges of the cells of a supercell are drawn once', async (t) => {
  const { vectors } = readStructure(NACL)
  t.equal(listCellEdges(vectors, [1, 1, 1]).length, 12)
  t.equal(listCellEdges(vectors, [2, 1, 1]).length, 20)
  t.equal(listCellEdges(vectors, [5, 5, 5]).length, 540)
})

t.test('each atom of a picture has all its bonds, also across the border', async (t) => {
  const crystal = readStructure(NACL)
  const atoms = placeAtoms(crystal, [1, 1, 1])
  const halves = placeHalfBonds(crystal, atoms, findBonds(crystal).bonds)
  t.equal(halves.length, 27 * 6)
  // A line of three atoms has two bonds, which are four halves; there are 27 lines.
  t.equal(halves.filter(({ isCut }) => !isCut).length, 27 * 4)
  for (const { from, to } of halves)
    t.match(Math.hypot(...to.map((x, axis) => x - (from[axis] ?? 0))).toFixed(3), '1.410')
})

t.test('lattices and coordinates of all kinds are read', async (t) => {
  const elements = [{ id: 3, value: 'Si' }]
  const coordinates = [{ id: 3, value: [1, 0.5, 3] }]
  const vectors = { a: [0, 2, 0], b: [0, 0, 3], c: [4, 0, 0] }
  const cell = { a: 2, b: 3, c: 4, alpha: 90, beta: 90, gamma: 90 }
  const cases: [name: string, DrawableMaterial, position: Vector][] = [
    ['crystal', { lattice: cell, basis: { elements, coordinates } }, [0, 1.5, 0]],
    [
      'cartesian',
      { lattice: cell, basis: { elements, coordinates, units: 'cartesian' } },
      [1, 0.5, 3],
    ],
    ['vectors', { lattice: { ...cell, vectors }, basis: { elements, coordinates } }, [0, 0, 1.5]],
    [
      'vectors in units of alat',
      { lattice: { vectors: { ...vectors, alat: 2 } }, basis: { elements, coordinates } },
      [0, 0, 3],
    ],
    [
      'a molecule without a lattice',
      { basis: { elements, coordinates, units: 'cartesian' }, isNonPeriodic: true },
      [1, 0.5, 3],
    ],
  ]
  for (const [name, material, position] of cases) {
    const [atom] = placeAtoms(readStructure(material), [1, 1, 1])
    t.same(
      atom?.position.map((x) => Math.round(x * 1e9) / 1e9),
      position,
      name,
    )
  }
})

t.test('a material that cannot be drawn has a reason', async (t) => {
  const lattice = { a: 2, b: 3, c: 4, alpha: 90, beta: 90, gamma: 90 }
  const basis = { elements: [{ id: 0, value: 'Si' }], coordinates: [{ id: 0, value: [0, 0, 0] }] }
  const cases: [DrawableMaterial, reason: string][] = [
    [{}, 'This material has no atoms'],
    [{ lattice, basis: { elements: 'Si' } }, 'This material has no atoms'],
    [{ basis }, 'This material has no possible lattice'],
    [{ lattice: { ...lattice, gamma: 180 }, basis }, 'This material has no possible lattice'],
    [{ lattice: { ...lattice, a: 0 }, basis }, 'This material has no possible lattice'],
    [{ lattice, basis: { elements: basis.elements } }, 'The atom with id 0 has no coordinate'],
    [
      { lattice, basis: { ...basis, coordinates: [{ id: 0, value: [0, '0', 0] }] } },
      'The atom with id 0 has no coordinate',
    ],
  ]
  for (const [material, reason] of cases) t.same(readCrystal(material), { reason })
})

const Length = fc.double({ min: 3, max: 9, noNaN: true })
const Angle = fc.double({ min: 65, max: 115, noNaN: true })
const Fraction = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })
const Point = fc.tuple(Fraction, Fraction, Fraction)
const Sites = fc.array(fc.tuple(fc.constantFrom('Si', 'O', 'Na', 'H'), Point), {
  minLength: 1,
  maxLength: 8,
})
const RandomCrystal = fc
  .record({
    cell: fc.record({ a: Length, b: Length, c: Length, alpha: Angle, beta: Angle, gamma: Angle }),
    sites: Sites,
  })
  .map(({ cell, sites }) =>
    readStructure({
      lattice: cell,
      basis: {
        elements: sites.map(([value], id) => ({ id, value })),
        coordinates: sites.map(([, value], id) => ({ id, value })),
      },
    }),
  )

/** The lengths of the bonds, sorted, so that crystals can be compared. */
const listLengths = (crystal: Crystal): number[] =>
  findBonds(crystal)
    .bonds.map(({ length }) => length)
    .toSorted((a, b) => a - b)

/** Whether no pair of atoms is so near to the limit of a bond that rounding could decide. */
function isClearCut(crystal: Crystal): boolean {
  const near = crystal.sites.map(({ symbol }) => findCovalentRadius(symbol))
  return findAllDistances(crystal).every(([from, to, distance]) => {
    const limit = ((near[from] ?? 0) + (near[to] ?? 0)) * BOND_FACTOR
    return Math.abs(distance - limit) > 1e-6 && Math.abs(distance - 0.4) > 1e-6
  })
}

/** The distances of all pairs, by brute force, through more images than any bond needs. */
function findAllDistances({ sites, vectors }: Crystal): [from: number, to: number, number][] {
  const range = [-3, -2, -1, 0, 1, 2, 3]
  const shifts = range.flatMap((u) => range.flatMap((v) => range.map((w): Vector => [u, v, w])))
  const pairs = sites.flatMap((_, from) => sites.map((__, to) => [from, to] as const))
  return pairs.flatMap(([from, to]) =>
    shifts
      .filter(([u, v, w]) => (from === to ? (u || v || w) > 0 : from < to))
      .map(([u, v, w]): [number, number, number] => {
        const [x, y, z] = sites[from]?.coordinate ?? [0, 0, 0]
        const [x2, y2, z2] = sites[to]?.coordinate ?? [0, 0, 0]
        const bond = toCartesian([x2 + u - x, y2 + v - y, z2 + w - z], vectors)
        return [from, to, Math.hypot(...bond)]
      }),
  )
}

/** Whether two sorted lists of lengths are equal to within 1e-6 Å. */
const areEqual = (left: readonly number[], right: readonly number[]): boolean =>
  left.length === right.length &&
  left.every((length, index) => Math.abs(length - (right[index] ?? 0)) < 1e-6)

t.test('the bonds are those that a comparison of all images finds', async () => {
  fc.assert(
    fc.property(RandomCrystal.filter(isClearCut), (crystal) => {
      const radii = crystal.sites.map(({ symbol }) => findCovalentRadius(symbol))
      const expected = findAllDistances(crystal)
        .filter(([from, to, distance]) => {
          const limit = ((radii[from] ?? 0) + (radii[to] ?? 0)) * BOND_FACTOR
          return distance >= 0.4 && distance <= limit
        })
        .map(([, , distance]) => distance)
        .toSorted((a, b) => a - b)
      return areEqual(listLengths(crystal), expected)
    }),
    { numRuns: 40 },
  )
})

t.test('bonds stay the same under shifts, other cells of atoms and another order', async () => {
  const Cells = fc.array(
    fc.tuple(fc.integer(), fc.integer(), fc.integer()).map(([u, v, w]) => [u % 9, v % 9, w % 9]),
    { minLength: 8, maxLength: 8 },
  )
  fc.assert(
    fc.property(RandomCrystal.filter(isClearCut), Point, Cells, (crystal, shift, cells) => {
      const moved = crystal.sites.map((site, index) => ({
        ...site,
        coordinate: site.coordinate.map(
          (value, axis) => value + (shift[axis] ?? 0) + (cells[index]?.[axis] ?? 0),
        ) as unknown as Vector,
      }))
      const other = { ...crystal, sites: moved.toReversed() }
      return areEqual(listLengths(crystal), listLengths(other))
    }),
    { numRuns: 60 },
  )
})

t.test('a supercell has as many times the bonds as it has cells', async () => {
  const Count = fc.integer({ min: 1, max: 3 })
  fc.assert(
    fc.property(
      RandomCrystal.filter(isClearCut),
      fc.tuple(Count, Count, Count),
      (crystal, supercell) => {
        const large = repeatCell(crystal, supercell)
        const cells = supercell.reduce((product, count) => product * count)
        return (
          countAtoms(crystal, supercell) === large.sites.length &&
          findBonds(large).bonds.length === findBonds(crystal).bonds.length * cells
        )
      },
    ),
    { numRuns: 40 },
  )
})
