import { readFileSync } from 'node:fs'

import t from 'tap'

import type { JsonObject } from '@materials-mock/json'
import { runToEnd } from '@materials-mock/work'
import type { Vector } from '../../src/vector.js'
import { createNumbers } from '../../src/deterministic.js'
import { computeElectrons, loadEigenvalues } from '../../src/results/electrons.js'
import { choosePath, listPathPoints, nameCorners } from '../../src/results/k-path.js'
import { makePropertyData } from '../../src/results/property-data.js'
import { createStructureModel } from '../../src/results/structure-model.js'
import type { Electrons, StructureModel } from '../../src/results/structure-model.js'

t.before(() => loadEigenvalues())

const ALL = (
  JSON.parse(
    readFileSync(new URL('../../../../fixtures/materials.json', import.meta.url), 'utf8'),
  ) as JsonObject[]
).map((material) => ({
  name: String(material.name),
  model: createStructureModel(material) as StructureModel,
}))

const MODELS = ALL.filter(({ model }) => model.atoms.length <= 16)

const compute = (model: StructureModel, points = Infinity): Electrons =>
  runToEnd(
    computeElectrons(model, listPathPoints(choosePath(model.cell)).slice(0, points)),
  ) as Electrons

/** The points of the first segment of a path, which suffice for large cells: each point takes 10 ms. */
const FEW_POINTS = 11

/** Returns a shipped material. */
const find = (name: string): StructureModel =>
  MODELS.find((each) => each.name.startsWith(name))!.model

const computed = new Map<StructureModel, Electrons>()

/** Computes a shipped material along its whole path, once for all tests. */
function computeOnce(model: StructureModel): Electrons {
  const electrons = computed.get(model) ?? compute(model)
  computed.set(model, electrons)
  return electrons
}

/** Returns the energies of a material at each of some points, from the lowest. */
function solveAt(model: StructureModel, ...points: Vector[]): number[][] {
  const { bands } = runToEnd(computeElectrons(model, points)) as Electrons
  return points.map((_, index) => bands.map((band) => band[index]!))
}

/** Returns how many of some energies are the same, group by group. */
const countGroups = (energies: readonly number[]): number[] =>
  energies.reduce<number[]>((groups, energy, index) => {
    const isSame = index > 0 && energy - (energies[index - 1] ?? 0) < 0.005
    return isSame ? [...groups.slice(0, -1), (groups.at(-1) ?? 0) + 1] : [...groups, 1]
  }, [])

t.test('semiconductors have the degenerate bands of their lattice, and a gap', async (t) => {
  for (const [name, gap, atX] of [
    ['Silicon FCC', 1.75, [2, 2]],
    ['Ge, Germanium', 0.27, [2, 2]],
    ['C, Diamond', 8.2, [2, 2]],
    ['GaAs', 1.37, [1, 1, 2]],
  ] as const) {
    const model = find(name)
    const solved = solveAt(model, [0, 0, 0], [0.5, 0, 0.5], [0.5, 0.5, 0.5])
    t.same(
      solved.map((each) => countGroups(each.slice(0, 4))),
      [[1, 3], atX, [1, 1, 2]],
      `${name} at Γ, X and L`,
    )
    const { gaps, bands, fermi, energies, states } = computeOnce(model)
    t.ok(Math.abs(gaps[1]!.value - gap) < 0.01, `${name}: ${gaps[1]?.value} eV`)
    t.ok(gaps[0]!.value >= gaps[1]!.value)
    t.equal(bands.filter((band) => Math.max(...band) < fermi).length, 4, 'four bands are filled')
    t.equal(bands.filter((band) => Math.min(...band) > fermi).length, 4)
    const step = energies[1]! - energies[0]!
    const filled = energies.flatMap((energy, at) =>
      energy < fermi ? states.map(({ values }) => values[at]! * step) : [],
    )
    const electrons = filled.reduce((sum, each) => sum + each, 0)
    t.ok(Math.abs(electrons - 8) < 0.1, `${electrons} electrons`)
  }
})

t.test('bands of metals cross the Fermi energy', async (t) => {
  for (const name of ['Al, ', 'Cu, ', 'Na, ']) {
    const { bands, fermi, gaps } = computeOnce(find(name))
    t.ok(
      bands.some((band) => Math.min(...band) < fermi && Math.max(...band) > fermi),
      name,
    )
    t.same(
      gaps.map(({ value }) => value),
      [0, 0],
    )
  }
})

t.test('two bands of graphene meet at K, at the Fermi energy', async (t) => {
  const model = find('C, Graphene,')
  const [atK = []] = solveAt(model, [1 / 3, 1 / 3, 0])
  const { fermi, gaps } = computeOnce(model)
  for (const energy of [...atK.slice(3, 5), fermi])
    t.ok(Math.abs(energy + 8.97) < 1e-3, `${energy} eV`)
  t.same(gaps[1]?.valence, [0.3333, 0.3333, 0])
})

t.test('no band of a shipped material jumps, and its properties agree', async (t) => {
  for (const { name, model } of MODELS) {
    const isLarge = model.atoms.length > 8
    const electrons = isLarge ? compute(model, FEW_POINTS) : computeOnce(model)
    const { bands, fermi, gaps, energies, states } = electrons
    t.equal(bands.length, 4 * model.atoms.length, name)
    const coarse = bands.map((band) =>
      band.slice(1).map((energy, index) => Math.abs(energy - band[index]!)),
    )
    // A step is a tenth of the way from one point of high symmetry to the next.
    t.ok(Math.max(...coarse.flat()) < 3.5, `${name}: ${Math.max(...coarse.flat())} eV`)
    const isMetal = gaps[1]!.value === 0
    if (!isMetal) {
      const [below, above] = [fermi - gaps[1]!.value / 2, fermi + gaps[1]!.value / 2]
      for (const band of bands) {
        const isBelow = band.every((energy) => energy <= below + 1e-3)
        t.ok(isBelow || band.every((energy) => energy >= above - 1e-3), name)
      }
      const inGap = energies.map((energy) => energy > below && energy < above)
      t.notOk(states.some(({ values }) => values.some((value, at) => inGap[at] && value !== 0)))
    }
    t.ok(states.every(({ values }) => values.every((value) => value >= 0)))
    const names = [...new Set(model.atoms.map(({ symbol }) => symbol))]
    t.same(
      states.map(({ element, electronicState }) => [element, electronicState]),
      names.flatMap((element) => ['s', 'p'].map((kind) => [element, kind])),
      'the names that the platform has for shells of any number',
    )
  }
})

t.test('a path with finer steps has smaller ones in energy', async (t) => {
  for (const name of ['Silicon FCC', 'NaCl', 'MoS2', 'TiN', 'W, ']) {
    const model = find(name)
    const path = choosePath(model.cell).map((point) => ({ ...point, steps: 100 }))
    const { bands } = runToEnd(computeElectrons(model, listPathPoints(path))) as Electrons
    const largest = Math.max(
      ...bands.flatMap((band) => band.slice(1).map((each, at) => Math.abs(each - band[at]!))),
    )
    t.ok(largest < 0.35, `${name}: ${largest} eV`)
  }
})

/** Returns a structure in its cubic cell of four primitive ones. */
function toCube(model: StructureModel): StructureModel {
  const edge = model.cell.a * Math.SQRT2
  const shifts = [
    [0, 0, 0],
    [0, 0.5, 0.5],
    [0.5, 0, 0.5],
    [0.5, 0.5, 0],
  ]
  const atoms = model.atoms.flatMap(({ symbol }, index) =>
    shifts.map((shift) => ({
      symbol,
      coordinate: shift.map(
        (each) => each + (index * (symbol === 'Cl' || symbol === 'Na' ? 2 : 1)) / 4,
      ),
    })),
  )
  return createStructureModel({
    lattice: { a: edge, b: edge, c: edge, alpha: 90, beta: 90, gamma: 90 },
    basis: {
      units: 'crystal',
      elements: atoms.map(({ symbol }, id) => ({ id, value: symbol })),
      coordinates: atoms.map(({ coordinate }, id) => ({ id, value: coordinate })),
    },
  }) as StructureModel
}

const sumStates = ({ states }: Electrons): number =>
  states.flatMap(({ values }) => values).reduce((total, each) => total + each, 0)

t.test('a material has the same gap, Fermi energy and states in another cell', async (t) => {
  for (const name of ['Silicon FCC', 'Ge, Germanium', 'GaAs', 'NaCl', 'Al, ', 'Cu, ']) {
    const model = find(name)
    const [one, other] = [computeOnce(model), compute(toCube(model))]
    t.equal(other.bands.length, 4 * one.bands.length)
    const difference = one.gaps[1]!.value - other.gaps[1]!.value
    t.ok(Math.abs(difference) < 0.03, `${name}: ${difference} eV`)
    const [direct, folded] = [one.gaps[0]!.value, other.gaps[0]!.value]
    t.ok(folded < direct + 0.03, `${name}: ${folded} eV, not above ${direct}, as bands are folded`)
    // Another cell has another grid, on which the states of copper are few at the Fermi energy.
    const far = name === 'Cu, ' ? 0.1 : 0.02
    t.ok(Math.abs(one.fermi - other.fermi) < far, `${name}: ${one.fermi} and ${other.fermi} eV`)
    t.ok(Math.abs(sumStates(other) / sumStates(one) - 4) < 0.05, name)
  }
})

/** Returns a structure of some atoms along an edge of a tetragonal cell. */
const createBox = (a: number, c: number, symbol: string, count = 1): StructureModel =>
  createStructureModel({
    lattice: { a, b: a, c, alpha: 90, beta: 90, gamma: 90 },
    basis: {
      units: 'crystal',
      elements: Array.from({ length: count }, (_, id) => ({ id, value: symbol })),
      coordinates: Array.from({ length: count }, (_, id) => ({ id, value: [0, 0, id / count] })),
    },
  }) as StructureModel

t.test('structures that fill all bands, or are too dense, have no electrons', async (t) => {
  for (const [model, hasElectrons] of [
    [createBox(4, 4, 'He'), true],
    [createBox(4, 4, 'Ne'), false],
    [createBox(0.3, 0.3, 'Cs', 16), false],
    [createBox(0.05, 10_000, 'Cs', 16), false],
  ] as const)
    t.equal(runToEnd(computeElectrons(model, [])) !== undefined, hasElectrons)
})

t.test('larger structures have no electrons, and all properties of electrons', async (t) => {
  const large = ALL.filter(({ model }) => model.atoms.length > 16)
  t.not(large.length, 0)
  for (const { name, model } of large) {
    const path = listPathPoints(choosePath(model.cell))
    const electrons = runToEnd(computeElectrons(model, path))
    t.equal(electrons, undefined, name)
    const numbers = createNumbers(name)
    const input = { model, path, electrons, numbers, unitNumbers: numbers }
    const toText = (property: string): string => JSON.stringify(makePropertyData(property, input))
    t.match(toText('fermi_energy'), /"value":-?\d/)
    t.match(toText('band_gaps'), /"direct".*"indirect"/)
    t.match(toText('band_structure'), /"yDataSeries":\[\[-?\d/)
    t.match(toText('density_of_states'), /"yDataSeries":\[\[-?\d.*"legend":\[\{\},\{"element"/)
  }
})

t.test('a path is that of the unit, or of the lattice', async (t) => {
  const { cell } = find('Silicon FCC')
  const given = [{ point: 'Г', steps: 2 }, { point: 'L', steps: 3 }, { point: '?' }]
  t.same(choosePath(cell, given), [
    { coordinates: [0, 0, 0], steps: 2 },
    { coordinates: [0.5, 0.5, 0.5], steps: 3 },
  ])
  t.same(listPathPoints(choosePath(cell, given)), [
    [0, 0, 0],
    [0.25, 0.25, 0.25],
    [0.5, 0.5, 0.5],
  ])
  const coordinates = [{ coordinates: [0, 0, 0] }, { point: 'any', coordinates: [0, 0.25, 0] }]
  t.same(
    choosePath(undefined, coordinates).map((each) => each.coordinates),
    [
      [0, 0, 0],
      [0, 0.25, 0],
    ],
  )
  for (const wrong of [
    undefined,
    null,
    'ΓX',
    [{ point: 'Γ' }],
    [{ point: 'Γ', steps: 501 }, { point: 'X' }],
  ])
    t.equal(choosePath(cell, wrong as never).length, 11, JSON.stringify(wrong))
})

t.test('the corners of each lattice have their names', async (t) => {
  for (const [name, path] of [
    ['Silicon FCC', 'ΓXWKΓLUWLUX'],
    ['Fe, ', 'ΓHNΓPHPN'],
    ['SrTiO3', 'ΓXMΓRXMR'],
    ['SnO', 'ΓXMΓZRAZXRMA'],
    ['HfO2, Hafnium IV Oxide, ORC', 'ΓXSYΓZURTZYTUXSR'],
    ['C, Graphene,', 'ΓMKΓALHALMKH'],
    ['NbSe2', 'ΓMKΓALHALMKH'],
    ['FeO', 'XΓYLΓZNΓMRΓ'],
  ] as const) {
    const corners = choosePath(find(name).cell).map(({ coordinates }) => coordinates)
    t.equal(nameCorners(corners).join(''), path, name)
  }
  t.same(
    nameCorners([
      [0, 0, 0],
      [0.1, 0, 0],
    ]),
    [],
  )
})

t.test('atoms at the same place, and flat or long cells, end no process', async (t) => {
  const cube = { a: 3, b: 3, c: 3, alpha: 90, beta: 90, gamma: 90, type: 'CUB' }
  const build = (coordinates: number[][], lattice: object = cube): StructureModel =>
    createStructureModel({
      _id: 'x',
      lattice: { ...cube, ...lattice, units: { length: 'angstrom', angle: 'degree' } },
      basis: {
        units: 'crystal',
        elements: coordinates.map((_, id) => ({ id, value: 'Si' })),
        coordinates: coordinates.map((value, id) => ({ id, value })),
      },
    } as JsonObject) as StructureModel
  for (const other of [
    [1, 1, 1],
    [0, 0, 0],
    [0.001, 0, 0],
    [0.5, 0.5, 0.5],
  ]) {
    const model = build([[0, 0, 0], other])
    const { bands, fermi } = compute(model, 2)
    t.ok(bands.flat().every(Number.isFinite) && Number.isFinite(fermi), other.join())
  }
  const sixteen = Array.from({ length: 16 }, (_, n) => [n / 16, (n * n) / 999, 0])
  t.equal(compute(build(sixteen, { a: 1000, b: 1000, c: 0.6 })), undefined)
  t.equal(compute(build(sixteen, { a: 1000, b: 0.6, c: 0.6 })), undefined)
  t.equal(compute(build([[0, 0, 0]], { a: 1e5, b: 1e5, c: 0.6 })), undefined)
})
