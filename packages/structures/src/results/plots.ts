import type { Json, JsonObject } from '@materials-mock/json'
import { round } from '../vector.js'
import type { Vector } from '../vector.js'
import { makeBandGap, makeFermiEnergy } from './energetics.js'
import type { Electrons, PropertyInput } from './structure-model.js'

type MakePlot = (input: PropertyInput) => JsonObject

interface Axes {
  readonly x: readonly [label: string, units: string]
  readonly y: readonly [label: string, units: string]
}

const toPlot = ({ x, y }: Axes, xDataArray: Json[], yDataSeries: Json[]): JsonObject => ({
  xAxis: { label: x[0], units: x[1] },
  yAxis: { label: y[0], units: y[1] },
  xDataArray,
  yDataSeries,
})

/** Returns numbers at equal distances, both ends included. */
const range = (from: number, to: number, count: number): number[] =>
  Array.from({ length: count }, (_, index) => round(from + ((to - from) * index) / (count - 1), 6))

const toNumbers = (values: readonly number[]): number[] => values.map((value) => round(value, 6))

const toPoints = (path: readonly Vector[]): Json[] => path.map((point) => [...point])

const makeBandStructure: MakePlot = (input) => {
  const series = (input.electrons?.bands ?? makeUpBands(input)).map(toNumbers)
  const axes: Axes = { x: ['kpoints', 'crystal'], y: ['energy', 'eV'] }
  return { ...toPlot(axes, toPoints(input.path), series), spin: series.map(() => 0.5) }
}

/** Returns four bands below the gap and four above it, all of one shape. */
function makeUpBands({ model, path, numbers }: PropertyInput): Electrons['bands'] {
  const gap = model ? makeBandGap(model) : 1
  const fermi = model ? makeFermiEnergy(model) : 5
  return [-4, -3, -2, -1, 1, 2, 3, 4].map((band) => {
    const edge = fermi + Math.sign(band) * (gap / 2 + (Math.abs(band) - 1) * numbers.between(1, 2))
    const width = Math.sign(band) * numbers.between(0.5, 2)
    return path.map((point) => edge + width * Math.sin((Math.PI * Math.hypot(...point)) / 2) ** 2)
  })
}

/** As on the platform, the total is first, and its legend is empty. */
const makeDensityOfStates: MakePlot = (input) => {
  const { energies, states } = input.electrons ?? makeUpStates(input)
  const axes: Axes = { x: ['energy', 'eV'], y: ['density of states', 'states/unitcell'] }
  const total = energies.map((_, at) => states.reduce((sum, { values }) => sum + values[at]!, 0))
  const series = [total, ...states.map(({ values }) => values)].map(toNumbers)
  const parts = states.map(({ element, electronicState }, index) => ({
    element,
    electronicState,
    index: index + 1,
    spin: 0.5,
  }))
  return { ...toPlot(axes, toNumbers(energies), series), legend: [{}, ...parts] }
}

/** Returns states of each element on both sides of the gap. */
function makeUpStates({ model, numbers }: PropertyInput): Pick<Electrons, 'energies' | 'states'> {
  const fermi = model ? makeFermiEnergy(model) : 5
  const gap = model ? makeBandGap(model) : 1
  const energies = range(fermi - 10, fermi + 10, 101)
  const elements = [...new Set(model?.atoms.map(({ symbol }) => symbol) ?? ['Si'])]
  const states = elements.map((element) => {
    const width = numbers.between(3, 5)
    const values = energies.map((energy) => {
      const distance = Math.abs(energy - fermi) - gap / 2
      return distance <= 0 ? 0 : Math.sqrt(distance) * Math.exp(-distance / width)
    })
    return { element, electronicState: '3p', values }
  })
  return { energies, states }
}

const makePhononDispersions: MakePlot = ({ model, path, numbers }) => {
  const modes = 3 * Math.min(model?.atoms.length ?? 2, 8)
  const tops = range(0, numbers.between(300, 600), modes)
  const series = tops.map((top, mode) =>
    toNumbers(
      path.map((point) =>
        mode < 3 ? (mode + 1) * 60 * Math.sin((Math.PI / 2) * Math.hypot(...point)) : top,
      ),
    ),
  )
  return toPlot({ x: ['qpoints', 'crystal'], y: ['frequency', 'cm-1'] }, toPoints(path), series)
}

const makeBell =
  (axes: Axes, end: number): MakePlot =>
  ({ numbers }) => {
    const center = numbers.between(end * 0.4, end * 0.6)
    const xs = range(0, end, 51)
    const ys = toNumbers(xs.map((x) => Math.exp(-(((x - center) / (end / 6)) ** 2))))
    return toPlot(axes, xs, [ys])
  }

/** A potential along the z axis. */
const makePotential = makeBell({ x: ['z coordinate', 'angstrom'], y: ['energy', 'eV'] }, 20)

/** The properties that are curves, by their names. */
export const PLOTS: ReadonlyMap<string, MakePlot> = new Map(
  Object.entries<MakePlot>({
    band_structure: makeBandStructure,
    density_of_states: makeDensityOfStates,
    phonon_dispersions: makePhononDispersions,
    phonon_dos: makeBell({ x: ['frequency', 'cm-1'], y: ['Phonon DOS', 'states/cm-1'] }, 600),
    reaction_energy_profile: makeBell(
      { x: ['reaction coordinate', 'angstrom'], y: ['energy', 'eV'] },
      5,
    ),
    potential_profile: makePotential,
    average_potential_profile: makePotential,
    charge_density_profile: makeBell(
      { x: ['z coordinate', 'angstrom'], y: ['charge density', 'e/A'] },
      20,
    ),
  }),
)
