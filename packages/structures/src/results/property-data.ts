import type { Json, JsonObject } from '@materials-mock/json'
import { ORIGIN, round } from '../vector.js'
import { makeBandGap, makeFermiEnergy, makePressure, makeTotalEnergy } from './energetics.js'
import { PLOTS } from './plots.js'
import type { PropertyInput, StructureModel } from './structure-model.js'

/**
 * Makes up the data of a property by its name, in the format of the platform's schemas. An unknown
 * property gets a number.
 */
export function makePropertyData(name: string, input: PropertyInput): JsonObject {
  const make = DATA.get(name) ?? PLOTS.get(name)
  if (make !== undefined) return { name, ...make(input) }
  const [units, min, max] = SCALARS.get(name) ?? ['', 0, 1]
  return scalar(name, units, input.numbers.between(min, max))
}

type MakeData = (input: PropertyInput) => JsonObject

const DECIMALS = 6

const scalar = (name: string, units: string, value: number): JsonObject => ({
  name,
  ...(units !== '' && { units }),
  value: round(value, DECIMALS),
})

/** The units and the ranges of numbers that do not follow from the structure. */
const SCALARS: ReadonlyMap<string, readonly [units: string, min: number, max: number]> = new Map(
  Object.entries<readonly [units: string, min: number, max: number]>({
    zero_point_energy: ['eV', 0.02, 0.3],
    surface_energy: ['eV/A^2', 0.02, 0.15],
    interfacial_energy: ['eV/A^2', 0.005, 0.05],
    formation_energy: ['eV', -3, 0],
    defect_formation_energy: ['eV', 0.5, 5],
    reaction_energy_barrier: ['eV', 0.1, 2],
    valence_band_offset: ['eV', -1, 1],
    ionization_potential: ['eV', 5, 12],
    electron_affinity: ['eV', 0.5, 3],
    homo_energy: ['eV', -9, -5],
    lumo_energy: ['eV', -3, 0],
    thermal_correction_to_energy: ['eV', 0.02, 0.5],
    thermal_correction_to_enthalpy: ['eV', 0.05, 0.6],
  }),
)

const DATA: ReadonlyMap<string, MakeData> = new Map(
  Object.entries<MakeData>({
    total_energy: ({ model, unitNumbers }) => {
      const perAtom = unitNumbers.between(-0.05, 0.05)
      const energy = model && makeTotalEnergy(model) + model.atoms.length * perAtom
      return { units: 'eV', value: round(energy ?? -100 + perAtom, DECIMALS) }
    },
    fermi_energy: ({ model, electrons, unitNumbers }) => {
      const madeUp = (model ? makeFermiEnergy(model) : 5) + unitNumbers.between(-0.02, 0.02)
      return { units: 'eV', value: round(electrons?.fermi ?? madeUp, DECIMALS) }
    },
    pressure: (input) => ({ units: 'kbar', value: round(findPressure(input), 2) }),
    stress_tensor: (input) => {
      const pressure = findPressure(input)
      const shear = input.numbers.between(-0.01, 0.01)
      const value = [0, 1, 2].map((row) =>
        [0, 1, 2].map((column) => round(row === column ? pressure : shear, 2)),
      )
      return { units: 'kbar', value }
    },
    atomic_forces: (input) => ({ units: 'eV/angstrom', values: makeForces(input) }),
    total_force: (input) => {
      const forces = makeForces(input).flatMap(({ value }) => value)
      return { units: 'eV/angstrom', value: round(Math.hypot(...forces), DECIMALS) }
    },
    magnetic_moments: ({ model, numbers }) => ({
      units: 'uB',
      values: listIds(model).map((id) => ({ id, value: [0, 0, round(numbers.between(-1, 1), 3)] })),
    }),
    band_gaps: (input) => ({ values: makeBandGaps(input) }),
    total_energy_contributions: ({ model, numbers }) => {
      const total = model ? makeTotalEnergy(model) : -100
      const make = (name: string, share: number): JsonObject => ({
        name,
        value: round(total * share * numbers.between(0.95, 1.05), DECIMALS),
      })
      return {
        units: 'eV',
        harrisFoulkes: make('harris_foulkes', 1),
        hartree: make('hartree', -0.1),
        ewald: make('ewald', 1.07),
        exchangeCorrelation: make('exchange_correlation', 0.35),
      }
    },
    convergence_electronic: ({ numbers }) => {
      const first = numbers.between(0.05, 0.2)
      const errors = Array.from({ length: 7 }, (_, step) => round(first / 10 ** step, 10))
      return { units: 'Ry', tolerance: 1e-6, data: [errors] }
    },
    convergence_ionic: ({ model, numbers }) => {
      const energy = model ? makeTotalEnergy(model) : -100
      const first = numbers.between(0.01, 0.1)
      const data = Array.from({ length: 4 }, (_, step) => ({
        energy: round(energy + first / 10 ** step, DECIMALS),
        electronic: {
          units: 'eV',
          data: [first, first / 10, first / 100].map((each) => round(each, 8)),
        },
      }))
      return { units: 'eV', tolerance: 1e-3, data }
    },
  }),
)

const findPressure = ({ model, numbers }: PropertyInput): number =>
  model === undefined ? numbers.between(-0.5, 0.5) : makePressure(model)

/** Returns a force on each atom in eV/Å. They add up to zero, and nearly vanish without a pressure. */
function makeForces(input: PropertyInput) {
  const { model, numbers } = input
  const ids = listIds(model)
  const size = 1e-4 + 2e-4 * Math.abs(findPressure(input))
  const forces = ids.map(() => [0, 1, 2].map(() => numbers.between(-size, size)))
  const mean = [0, 1, 2].map(
    (axis) => forces.reduce((sum, force) => sum + (force[axis] ?? 0), 0) / ids.length,
  )
  return forces.map((force, index) => ({
    id: ids[index] ?? index,
    value: force.map((each, axis) => round(each - (mean[axis] ?? 0), DECIMALS)),
  }))
}

/** Returns the ids of the atoms, or two ids if the job has no structure. */
const listIds = (model: StructureModel | undefined): readonly number[] => model?.ids ?? [0, 1]

/** Returns a direct and an indirect gap. Both are 0 for a metal. */
export function makeBandGaps({ model, electrons, unitNumbers }: PropertyInput): Json[] {
  const indirect = model ? makeBandGap(model) : 1
  const direct = indirect === 0 ? 0 : indirect + unitNumbers.between(0, 0.8)
  const gaps = electrons?.gaps ?? [
    { type: 'direct', value: direct, conduction: ORIGIN, valence: ORIGIN },
    { type: 'indirect', value: indirect, conduction: [0.5, 0.5, 0], valence: ORIGIN },
  ]
  return gaps.map(({ type, value, conduction, valence }) => ({
    type,
    value: round(value, 4),
    units: 'eV',
    kpointConduction: [...conduction],
    kpointValence: [...valence],
  }))
}
