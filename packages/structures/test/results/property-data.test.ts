import t from 'tap'

import type { JsonObject } from '@materials-mock/json'
import { createNumbers } from '../../src/deterministic.js'
import { choosePath, listPathPoints } from '../../src/results/k-path.js'
import { makePropertyData } from '../../src/results/property-data.js'
import { computeKppra, createStructureModel, makeKGrid } from '../../src/results/structure-model.js'

/** A cube with atoms at its corner, and at its center if there are two. */
const createCube = (edge: number, ...symbols: readonly string[]): JsonObject => ({
  lattice: { a: edge, b: edge, c: edge, alpha: 90, beta: 90, gamma: 90, type: 'CUB' },
  basis: {
    units: 'crystal',
    elements: symbols.map((value, index) => ({ id: index + 1, value })),
    coordinates: symbols.map((_, index) => ({
      id: index + 1,
      value: index === 0 ? [0, 0, 0] : [0.5, 0.5, 0.5],
    })),
  },
})

const PATH = listPathPoints(choosePath(undefined))

/** Makes the data of a property, with the numbers of its name. */
const make = (name: string, material?: JsonObject): Record<string, unknown> =>
  makePropertyData(name, {
    model: createStructureModel(material),
    path: PATH,
    unitNumbers: createNumbers('unit'),
    numbers: createNumbers(name),
  })

const value = (name: string, material?: JsonObject): number => make(name, material).value as number

const SALT = createCube(4.1, 'Cs', 'Cl')
const METAL = createCube(2.87, 'Fe', 'Fe')

t.test('the curves of a job are around its Fermi energy', async (t) => {
  for (const [name, material, gap] of [
    ['no structure', undefined, 1],
    ['a salt', SALT, undefined],
    ['a metal', METAL, 0],
  ] as const) {
    const fermi = value('fermi_energy', material)
    const { xDataArray, yDataSeries, legend } = make('density_of_states', material) as {
      xDataArray: number[]
      yDataSeries: number[][]
      legend: { element?: string }[]
    }
    const [total, ...parts] = yDataSeries
    t.same(legend[0], {}, 'the total is first')
    t.ok(legend.slice(1).every(({ element }) => element !== undefined))
    t.equal(legend.length, yDataSeries.length)
    for (const [index, sum] of (total ?? []).entries()) {
      const ofParts = parts.reduce((all, part) => all + (part[index] ?? NaN), 0)
      t.ok(Math.abs(sum - ofParts) < 1e-5, `${sum} is ${ofParts}`)
    }
    const middle = ((xDataArray[0] ?? 0) + (xDataArray.at(-1) ?? 0)) / 2
    t.ok(Math.abs(middle - fermi) < 0.021, `${name}: the states are around ${middle}`)
    t.equal(xDataArray.length, 101)
    const [, indirect] = make('band_gaps', material).values as { value: number }[]
    if (gap !== undefined) t.equal(indirect?.value, gap, name)
    for (const states of yDataSeries) {
      const inGap = xDataArray.filter((_, index) => states[index] === 0)
      const width = (inGap.at(-1) ?? 0) - (inGap[0] ?? 0)
      t.ok(Math.abs(width - (indirect?.value ?? NaN)) <= 0.4, `${name}: no states for ${width} eV`)
      t.ok(
        states.every((each) => each >= 0 && each < 10),
        name,
      )
    }
    const bands = make('band_structure', material).yDataSeries as number[][]
    const [below, above] = [bands.slice(0, 4).flat(), bands.slice(4).flat()]
    const [top, bottom] = [Math.max(...below), Math.min(...above)]
    t.ok(Math.abs((top + bottom) / 2 - middle) < 1e-5, `${name}: the bands are around ${middle}`)
    t.ok(Math.abs(bottom - top - (indirect?.value ?? NaN)) < 1e-3, `${name}: bands with the gap`)
  }
})

t.test('the Fermi energy is that of four free electrons per atom', async (t) => {
  for (const [material, expected] of [
    [undefined, 5],
    [SALT, 20 * (8 / 4.1 ** 3) ** (2 / 3)],
    [METAL, 20 * (8 / 2.87 ** 3) ** (2 / 3)],
  ] as const)
    t.ok(Math.abs(value('fermi_energy', material) - expected) <= 0.02, `${expected}`)
})

t.test('an energy has its least value where the pressure changes its sign', async (t) => {
  const edges = Array.from({ length: 21 }, (_, step) => 2.6 + step * 0.025)
  const points = edges.map((edge) => {
    const material = createCube(edge, 'Fe', 'Fe')
    return { edge, energy: value('total_energy', material), pressure: value('pressure', material) }
  })
  const least = points.reduce((one, other) => (other.energy < one.energy ? other : one))
  const index = points.indexOf(least)
  t.ok(index > 0 && index < points.length - 1, `the edge of ${least.edge} Å`)
  for (const { edge, pressure } of points) {
    if (Math.abs(edge - least.edge) > 0.025)
      t.equal(Math.sign(pressure), Math.sign(least.edge - edge), `${pressure} kbar at ${edge} Å`)
  }
  // The pressure is the derivative of the energy by the volume; 1 eV/Å^3 is 1602 kbar.
  const [before, at, after] = points.slice(3, 6)
  const slope =
    ((after?.energy ?? 0) - (before?.energy ?? 0)) /
    ((after?.edge ?? 0) ** 3 - (before?.edge ?? 0) ** 3)
  const ratio = (at?.pressure ?? 0) / (-1602.18 * slope)
  t.ok(Math.abs(ratio - 1) < 0.02, `the pressure is ${ratio} of the slope`)
})

t.test('a structure at its equilibrium has nearly no forces and no pressure', async (t) => {
  for (const [material, limit, least] of [
    [createCube((2 * 3.6) / Math.sqrt(3), 'Cs', 'Cl'), 2e-4, 0],
    [createCube(4.3, 'Cs', 'Cl'), 0.04, 1e-3],
  ] as const) {
    t.equal(Math.abs(value('pressure', material)) < 0.01, least === 0)
    const forces = make('atomic_forces', material).values as {
      id: number
      value: number[]
    }[]
    t.same(
      forces.map(({ id }) => id),
      [1, 2],
      'the ids of the atoms',
    )
    const all = forces.flatMap((force) => force.value)
    const largest = Math.max(...all.map(Math.abs))
    t.ok(largest <= limit && largest > least, `${largest} eV/Å`)
    for (const axis of [0, 1, 2]) {
      const sum = forces.reduce((total, force) => total + (force.value[axis] ?? NaN), 0)
      t.ok(Math.abs(sum) < 1e-5, 'the forces add up to zero')
    }
  }
  t.ok(Math.abs(value('pressure')) <= 0.5, 'no structure')
})

t.test('a tensor of the stress is symmetric, with the pressure on its diagonal', async (t) => {
  const tensor = make('stress_tensor', SALT).value as number[][]
  const pressure = value('pressure', SALT)
  for (const [row, column] of [0, 1, 2].flatMap((each) =>
    [0, 1, 2].map((other) => [each, other]),
  )) {
    const found = tensor[row ?? 0]?.[column ?? 0]
    if (row === column) t.equal(found, pressure)
    else t.equal(found, tensor[column ?? 0]?.[row ?? 0])
    if (row !== column) t.ok(Math.abs(found ?? NaN) <= 0.01)
  }
})

/** Returns a direct and an indirect gap in eV. */
const gaps = (material?: JsonObject): number[] =>
  (make('band_gaps', material).values as { value: number }[]).map((gap) => gap.value)

t.test('a gap is 0 for metals, and larger for light elements and strong bonds', async (t) => {
  t.same(gaps(METAL), [0, 0])
  const [direct = 0, indirect = 0] = gaps(SALT)
  t.ok(direct >= indirect && indirect > 0 && direct <= indirect + 0.8)
  const indirectOf = (...symbols: string[]): number => gaps(createCube(4, ...symbols))[1] ?? NaN
  t.ok(indirectOf('Li', 'F') > indirectOf('Li', 'I'), 'a larger difference of electronegativity')
  t.ok(indirectOf('C', 'C') > indirectOf('Si', 'Si'), 'a lighter element')
  t.equal(indirectOf('C', 'C'), 5.5, 'carbon')
  t.ok(indirectOf('He', 'F') <= 12)
})

t.test('errors and energies of steps become smaller tenfold', async (t) => {
  const { data, tolerance } = make('convergence_electronic') as {
    data: [number[]]
    tolerance: number
  }
  const [errors] = data
  t.equal(errors.length, 7)
  t.ok((errors.at(-1) ?? 1) < tolerance && (errors.at(-2) ?? 0) > tolerance, 'it ends converged')
  t.ok(errors.every((each, index) => index === 0 || Math.abs(errors[index - 1]! / each - 10) < 0.1))
  const steps = make('convergence_ionic', SALT).data as { energy: number }[]
  const differences = steps.map(({ energy }) => energy - (steps.at(-1)?.energy ?? 0)).slice(0, -1)
  t.equal(steps.length, 4)
  t.ok(differences.every((each, index) => index === 0 || each < differences[index - 1]! / 5))
})

t.test('a property has a number of its range, whatever the seed', async (t) => {
  for (const [name, units, min, max] of [
    ['formation_energy', 'eV', -3, 0],
    ['surface_energy', 'eV/A^2', 0.02, 0.15],
    ['unknown_property', undefined, 0, 1],
  ] as const) {
    const found = make(name)
    t.same([found.name, found.units], [name, units])
    t.ok((found.value as number) >= min && (found.value as number) <= max)
  }
})

t.test('a grid of k-points is finer for shorter edges', async (t) => {
  for (const [edge, grid, kppra] of [
    [3, [4, 4, 4], 128],
    [5, [2, 2, 2], 16],
    [9.9, [2, 2, 2], 16],
    [10, [1, 1, 1], 2],
    [25, [1, 1, 1], 2],
  ] as const) {
    const model = createStructureModel(createCube(edge, 'Cs', 'Cl'))
    t.same(makeKGrid(model), grid, `${edge} Å`)
    t.equal(computeKppra(model), kppra, `${edge} Å`)
  }
  t.same([makeKGrid(undefined), computeKppra(undefined)], [[1, 1, 1], 1])
})

t.test(
  'a distance is measured across the borders of the cell, in units of the known length, or of the atomic radii',
  async (t) => {
    const iron = 2.479
    for (const [edge, symbols, expected] of [
      [2.87, ['Fe', 'Fe'], (2.87 * Math.sqrt(0.75)) / iron],
      [3, ['Fe'], 3 / iron],
      [20, ['Fe'], 2],
      [0.9, ['Fe'], 0.9 / iron],
      [3.5, ['Po'], 3.5 / (2 * 1.9)],
    ] as const) {
      const model = createStructureModel(createCube(edge, ...symbols))
      t.ok(
        Math.abs((model?.stretch ?? NaN) - expected) < 1e-3,
        `${model?.stretch}, not ${expected}`,
      )
      t.ok(Math.abs((model?.volume ?? NaN) - edge ** 3) < 1e-6)
      t.same(
        model?.ids,
        symbols.map((_, index) => index + 1),
      )
    }
    const silicon = createStructureModel({
      lattice: { a: 3.84, b: 3.84, c: 3.84, alpha: 60, beta: 60, gamma: 60, type: 'FCC' },
      basis: {
        units: 'crystal',
        elements: [0, 1].map((id) => ({ id, value: 'Si' })),
        coordinates: [0, 0.75].map((each, id) => ({ id, value: [each, each, each] })),
      },
    })
    const distance = 3.84 * Math.sqrt(3 / 8)
    t.ok(Math.abs((silicon?.stretch ?? NaN) - distance / 2.355) < 1e-3, 'across a corner')
    for (const material of [undefined, {}, { basis: {} }, { ...SALT, lattice: { a: 'x' } }])
      t.equal(createStructureModel(material as JsonObject | undefined), undefined)
  },
)
