import { listUnits } from '@materials-mock/api'
import { isJsonArray, isJsonObject, toObject } from '@materials-mock/json'
import type { Json, JsonObject } from '@materials-mock/json'
import { computeLength, dot, nameCorners, subtract } from '@materials-mock/structures'
import type { Vector } from '@materials-mock/structures'
import type { Item } from '../api/item.js'

export type Point = readonly [x: number, y: number]

export interface Axis {
  readonly label: string
  readonly units: string
  /** The named places, instead of round numbers. */
  readonly ticks?: readonly Tick[]
  /** Whether the axis is logarithmic. */
  readonly isLogarithmic?: boolean
}

export interface Tick {
  readonly at: number
  readonly label: string
}

export interface PlotData {
  readonly title: string
  readonly x: Axis
  readonly y: Axis
  readonly series: readonly Series[]
  /** A reference value, such as the Fermi energy. */
  readonly mark?: { readonly axis: 'x' | 'y' } & Tick
  /** What stands beside the title, such as the gap of bands. */
  readonly note?: string
}

/** A curve. Curves without a name look the same. */
export interface Series {
  readonly name: string
  readonly points: readonly Point[]
  /** Whether it belongs to another job than the others. */
  readonly isOther?: boolean
}

/**
 * Undefined for a property without curves. Values that are not numbers are left out.
 * @param fermi in eV, if it is known
 */
export function readPlot(data: JsonObject, fermi?: number): PlotData | undefined {
  const title = typeof data.name === 'string' ? data.name.replaceAll('_', ' ') : ''
  const plot: Untitled | undefined =
    data.name === 'convergence_electronic' || data.name === 'convergence_ionic'
      ? readConvergence(data)
      : readCurves(data)
  if (plot === undefined) return undefined
  const series = plot.series.filter(({ points }) => points.length > 0)
  if (series.length === 0) return undefined
  const axis = FERMI_AXIS.get(data.name)
  if (fermi === undefined || axis === undefined) return { ...plot, title, series }
  const shifted = series.map((each) => ({
    ...each,
    points: each.points.map(([x, y]): Point => (axis === 'y' ? [x, y - fermi] : [x - fermi, y])),
  }))
  return {
    ...plot,
    [axis]: { ...plot[axis], label: 'E − E_F' },
    title,
    series: shifted,
    mark: { axis, at: 0, label: `E_F = ${fermi.toFixed(3).replace('-', '−')} eV` },
    ...(axis === 'y' && { note: describeGap(shifted) }),
  }
}

/** The largest overlap of bands, in eV, that is no gap but rounding. */
const NO_GAP = 1e-3

/** Describes the gap of bands, whose energies are relative to the Fermi energy. */
function describeGap(bands: readonly Series[]): string {
  const points = bands.flatMap((band) => band.points)
  const isCrossed = bands.some(
    (band) => band.points.some(([, y]) => y > NO_GAP) && band.points.some(([, y]) => y < -NO_GAP),
  )
  const top = points.filter(([, y]) => y <= NO_GAP).toSorted((one, other) => other[1] - one[1])[0]
  const bottom = points.filter(([, y]) => y > NO_GAP).toSorted((one, other) => one[1] - other[1])[0]
  if (isCrossed || top === undefined || bottom === undefined) return 'no gap'
  const gap = bottom[1] - top[1]
  const isDirect = points.some(
    ([x, y]) => y <= NO_GAP && top[1] - y < NO_GAP && Math.abs(x - bottom[0]) < NO_GAP,
  )
  return `gap ${gap.toFixed(2)} eV, ${isDirect ? 'direct' : 'indirect'}`
}

/** Returns the bands of one job with those of another one over them, each as long a path. */
export function layOver(
  one: PlotData,
  other: PlotData,
  names: readonly [string, string],
): PlotData {
  const lengthOf = ({ series }: PlotData): number =>
    series.flatMap(({ points }) => points).reduce((most, [x]) => Math.max(most, x), 0)
  const stretch = lengthOf(one) / (lengthOf(other) || 1)
  const others = other.series.map((each) => ({
    name: names[1],
    isOther: true,
    points: each.points.map(([x, y]): Point => [x * stretch, y]),
  }))
  return {
    ...one,
    series: [...one.series.map((each) => ({ ...each, name: names[0], isOther: false })), ...others],
    note: [one.note, other.note].join(' and '),
  }
}

/** Returns a plot with its axes exchanged, so that it can stand beside bands. */
export const turnPlot = ({ x, y, series, mark: _mark, ...rest }: PlotData): PlotData => ({
  ...rest,
  x: y,
  y: x,
  series: series.map((each) => ({
    ...each,
    points: each.points.map(([px, py]): Point => [py, px]),
  })),
})

export function findFermiEnergy(results: readonly Item[]): number | undefined {
  const value = results
    .map(({ data }) => toObject(data))
    .find(({ name }) => name === 'fermi_energy')?.value
  return typeof value === 'number' ? value : undefined
}

/** The energy axes of the plots to which the Fermi energy belongs. */
export const FERMI_AXIS: ReadonlyMap<Json | undefined, 'x' | 'y'> = new Map([
  ['band_structure', 'y'],
  ['density_of_states', 'x'],
])

type Untitled = Omit<PlotData, 'title'>

/** Reads a plot of the platform's schemas: `xDataArray`, `yDataSeries`, the axes and the legend. */
function readCurves({
  xAxis,
  yAxis,
  xDataArray,
  yDataSeries,
  legend,
}: JsonObject): Untitled | undefined {
  if (!Array.isArray(xDataArray) || !isJsonArray(yDataSeries)) return undefined
  const isPath = xDataArray.every(isVector)
  const path = isPath ? walkPath(xDataArray) : undefined
  const xs: readonly unknown[] = path?.distances ?? xDataArray
  const lists = yDataSeries.filter((each): each is readonly Json[] => Array.isArray(each))
  return {
    x: path ? { label: 'wave vector', units: '', ticks: path.ticks } : readAxis(xAxis),
    y: readAxis(yAxis),
    series: lists.map((ys, index) => ({
      name: readLegend(isJsonArray(legend) ? legend[index] : undefined),
      points: toPoints(xs, ys),
    })),
  }
}

const readAxis = (axis: Json | undefined): Axis => {
  const { label, units } = toObject(axis)
  return {
    label: typeof label === 'string' ? label : '',
    units: typeof units === 'string' ? units : '',
  }
}

/** The name of the curve that is the sum of the others. */
export const TOTAL = 'total'

/** Returns the name of a curve. That of the total of a density of states is an empty object. */
const readLegend = (entry: Json | undefined): string => {
  if (isJsonObject(entry) && Object.keys(entry).length === 0) return TOTAL
  const { element, electronicState } = toObject(entry)
  return [element, electronicState].filter((each) => typeof each === 'string').join(' ')
}

const toPoints = (xs: readonly unknown[], ys: readonly unknown[]): Point[] =>
  xs.flatMap((x, index): Point[] => {
    const y = ys[index]
    return isFiniteNumber(x) && isFiniteNumber(y) ? [[x, y]] : []
  })

const isFiniteNumber = (value: unknown): value is number => Number.isFinite(value)

const isVector = (value: unknown): value is Vector =>
  Array.isArray(value) && value.length === 3 && value.every(isFiniteNumber)

/** Returns the distance of each point along a path in reciprocal space, and the corners of the path. */
function walkPath(points: readonly Vector[]): { distances: number[]; ticks: Tick[] } {
  const steps = points.map((point, index) => subtract(point, points[index - 1] ?? point))
  let length = 0
  const distances = steps.map((step) => (length += computeLength(step)))
  // A corner can be repeated, as the end of one leg and the start of the next.
  const places = [...points.entries()].filter(
    ([index]) => index === 0 || Math.hypot(...(steps[index] ?? [])) > 0,
  )
  const corners = places.flatMap(([index, point], place) => {
    const [before, after] = [steps[index], steps[places[place + 1]?.[0] ?? -1]]
    const isCorner = place === 0 || !before || !after || !isStraight(before, after)
    return isCorner ? [{ at: distances[index] ?? 0, point }] : []
  })
  const names = nameCorners(corners.map(({ point }) => point))
  const ticks = corners.map(({ at, point }, index) => ({
    at,
    label: names[index] ?? formatPoint(point),
  }))
  return { distances, ticks }
}

/** Whether two steps have the same direction, apart from rounding. */
const isStraight = (one: Vector, other: Vector): boolean =>
  dot(one, other) >= computeLength(one) * computeLength(other) * (1 - 1e-4)

const FRACTIONS: ReadonlyMap<number, string> = new Map([
  [0.25, '¼'],
  [0.333, '⅓'],
  [0.375, '⅜'],
  [0.5, '½'],
  [0.625, '⅝'],
  [0.667, '⅔'],
  [0.75, '¾'],
])

/** Returns the name of a point: `Γ`, or its coordinates with the usual fractions, such as `−½ ¼ 0`. */
function formatPoint(point: Vector): string {
  const rounded = point.map((each) => Number(each.toFixed(3)))
  if (rounded.every((each) => each === 0)) return 'Γ'
  return rounded
    .map((each) => `${each < 0 ? '−' : ''}${FRACTIONS.get(Math.abs(each)) ?? Math.abs(each)}`)
    .join(' ')
}

/** Reads the convergence of a computation: the errors of electronic steps, or the energies of ionic steps. */
function readConvergence({ name, data, units, tolerance }: JsonObject): Untitled | undefined {
  if (!isJsonArray(data)) return undefined
  const unit = typeof units === 'string' ? units : ''
  const steps = data
  if (name === 'convergence_ionic') {
    const energies = steps.map((step) => toObject(step).energy)
    return {
      x: { label: 'ionic step', units: '' },
      y: { label: 'energy', units: unit },
      series: [{ name: '', points: countFromOne(energies) }],
    }
  }
  const lists = steps.filter((each): each is readonly Json[] => Array.isArray(each))
  const series = lists.map((list, index): Series => ({
    name: lists.length > 1 ? `ionic step ${index + 1}` : '',
    points: countFromOne(list).filter(([, error]) => error > 0),
  }))
  const isMarked = isFiniteNumber(tolerance) && tolerance > 0
  return {
    x: { label: 'electronic step', units: '' },
    y: { label: 'error', units: unit, isLogarithmic: true },
    series,
    ...(isMarked && {
      mark: { axis: 'y', at: tolerance, label: `tolerance ${tolerance} ${unit}` },
    }),
  }
}

const countFromOne = (values: readonly unknown[]): Point[] =>
  toPoints(
    values.map((_, index) => index + 1),
    values,
  )

/**
 * Returns the curve of a job's loop: the result by the parameter; undefined without a loop.
 * @param results the properties of the job; one that a unit assigns to the result has its name and its unit
 */
export function readJobConvergence(job: Item, results: readonly Item[] = []): PlotData | undefined {
  const { scopeTrack } = job
  if (!isJsonArray(scopeTrack)) return undefined
  const scopes = scopeTrack.map((each) => toObject(toObject(toObject(each).scope).global))
  const units = listUnits(job)
  const findOperand = (tag: string): string | undefined => {
    const found = units.find(({ unit: { tags } }) => Array.isArray(tags) && tags.includes(tag))
      ?.unit.operand
    return typeof found === 'string' ? found : undefined
  }
  const names = Object.keys(scopes[0] ?? {})
  const parameter = findOperand('hasConvergenceParam') ?? names[0] ?? ''
  const result =
    findOperand('hasConvergenceResult') ?? names.find((name) => name !== parameter) ?? ''
  const points = toPoints(
    scopes.map((scope) => scope[parameter]),
    scopes.map((scope) => scope[result]),
  )
  if (points.length === 0) return undefined
  const assigned = new Set(
    units.flatMap(({ unit: { operand, value = null } }) => (operand === result ? [value] : [])),
  )
  const property = results
    .map(({ data }) => toObject(data))
    .find(({ name = '' }) => assigned.has(name))
  return {
    title: 'convergence',
    x: { label: parameter, units: '' },
    y: readAxis({ label: property?.name ?? result, units: property?.units ?? '' }),
    series: [{ name: '', points }],
  }
}

/** Returns round numbers in a range, at most one more than requested. */
export function chooseTicks(from: number, to: number, count: number): Tick[] {
  const least = (to - from) / count
  const power = 10 ** Math.floor(Math.log10(least))
  const step = [1, 2, 5].map((factor) => factor * power).find((each) => each >= least) ?? 10 * power
  const digits = Math.max(0, -Math.floor(Math.log10(step) + 1e-9))
  const first = Math.ceil(from / step - 1e-9)
  const ticks = Math.max(0, Math.floor(to / step + 1e-9) - first + 1)
  return Array.from({ length: Math.min(ticks, 100) }, (_, index) => {
    const at = (first + index) * step
    return { at, label: (at === 0 ? 0 : at).toFixed(Math.min(digits, 20)).replace('-', '−') }
  })
}
