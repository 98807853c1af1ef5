import type { ComponentChildren, VNode } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'

import type { PageState } from '../state/page-state.js'
import { Link } from '../widgets/link.js'
import { chooseTicks, TOTAL } from './read-plots.js'
import type { Axis, PlotData, Point, Series, Tick } from './read-plots.js'

/** The largest number of points of a curve that are drawn as dots. */
const MAX_DOTS = 30

const COLORS = [
  'var(--accent)',
  'light-dark(#c2410c, #fdba74)',
  'light-dark(#15803d, #86efac)',
  'light-dark(#7e22ce, #d8b4fe)',
  'light-dark(#be185d, #f9a8d4)',
  'light-dark(#0f766e, #5eead4)',
]

/** The distances from the edges of the picture to the axes, in px. */
const EDGE = { left: 30, right: 14, top: 10, bottom: 46 }

/** The width of a digit, in px. */
const DIGIT = 7

interface PlotProps {
  readonly data: PlotData
  /** Curves beside the others, on the same axis upward. */
  readonly beside?: PlotData | undefined
  /** The target of the title's link. */
  readonly to?: Partial<PageState>
  /** What stands at the right of the title. */
  readonly children?: ComponentChildren
}

/** The part of the width that the curves beside others have. */
const BESIDE = 0.28

/** Draws curves with their axes, in the width of its container. */
export function Plot({ data, beside, to, children }: PlotProps): VNode {
  const place = useRef<HTMLElement>(null)
  const [width, setWidth] = useState(0)
  useLayoutEffect(() => {
    if (place.current === null) return undefined
    const resize = (wide: number): void => setWidth(Math.max(240, Math.round(wide)))
    resize(place.current.clientWidth)
    const observer = new ResizeObserver(([entry]) => resize(entry?.contentRect.width ?? 0))
    observer.observe(place.current)
    return () => observer.disconnect()
  }, [])
  const { title, y, series, mark, note } = data
  const height = Math.round(Math.min(320, 120 + width * 0.38))
  const points = series.flatMap((each) => each.points)
  const [right, bottom] = [width - EDGE.right, height - EDGE.bottom]
  const upward = [...points.map(([, at]) => at), ...(mark?.axis === 'y' ? [mark.at] : [])]
  const toY = createScale(y, upward, { start: bottom, end: EDGE.top, distance: 40 })
  const left = EDGE.left + DIGIT * Math.max(...toY.ticks.map(({ label }) => label.length), 1)
  const split = beside === undefined ? right : Math.round(right - (right - left) * BESIDE)
  const frame = { top: EDGE.top, bottom, toY }
  return (
    <figure class="plot" ref={place}>
      <figcaption class="button-line">
        {to === undefined ? <span>{title}</span> : <Link to={to}>{title}</Link>}
        {note !== undefined && <small>{note}</small>}
        {children}
      </figcaption>
      <svg
        role="img"
        aria-label={describe(data)}
        width={width}
        height={height}
        viewBox={`0 0 ${width} ${height}`}
      >
        <Panel data={data} left={left} right={split} {...frame} />
        {beside !== undefined && (
          <Panel data={clip(beside, upward)} left={split + 14} right={right} {...frame} />
        )}
        <g class="plot-ticks">
          {toY.ticks.map(({ at, label }) => (
            <text x={left - 6} y={toY.place(at) + 4} text-anchor="end">
              {label}
            </text>
          ))}
          <text
            transform={`translate(12 ${(EDGE.top + bottom) / 2}) rotate(-90)`}
            text-anchor="middle"
          >
            {formatAxis(y)}
          </text>
        </g>
      </svg>
      <Legend series={[...series, ...(beside?.series ?? [])]} mark={mark} />
    </figure>
  )
}

/** Leaves out the points above and below a range, and the units, for which there is no room. */
function clip(data: PlotData, values: readonly number[]): PlotData {
  const [low, high] = findRange(values)
  return {
    ...data,
    x: { ...data.x, units: '' },
    series: data.series.map((each) => ({
      ...each,
      points: each.points.filter(([, at]) => at >= low && at <= high),
    })),
  }
}

interface PanelProps {
  readonly data: PlotData
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
  readonly toY: Scale
}

/** The grid and the curves between two places, with the axis below them. */
function Panel({ data, left, right, top, bottom, toY }: PanelProps): VNode {
  const { x, series, mark } = data
  const along = series.flatMap(({ points }) => points.map(([at]) => at))
  const toX = createScale(x, mark?.axis === 'x' ? [...along, mark.at] : along, {
    start: left,
    end: right,
    distance: 60,
  })
  const marked = mark && (mark.axis === 'x' ? toX.place(mark.at) : toY.place(mark.at))
  return (
    <>
      <g class="plot-grid">
        {toX.ticks.map(({ at }) => (
          <line x1={toX.place(at)} x2={toX.place(at)} y1={top} y2={bottom} />
        ))}
        {toY.ticks.map(({ at }) => (
          <line x1={left} x2={right} y1={toY.place(at)} y2={toY.place(at)} />
        ))}
      </g>
      {marked !== undefined && (
        <line
          class="plot-mark"
          {...(mark?.axis === 'x'
            ? { x1: marked, x2: marked, y1: top, y2: bottom }
            : { x1: left, x2: right, y1: marked, y2: marked })}
        />
      )}
      {series.map((each, index) => (
        <g class="plot-series" style={{ color: colorOf(each, index) }}>
          <path d={drawPath(each.points.map(([px, py]) => [toX.place(px), toY.place(py)]))} />
          {each.points.length <= MAX_DOTS &&
            each.points.map(([px, py]) => <circle cx={toX.place(px)} cy={toY.place(py)} r={2.5} />)}
        </g>
      ))}
      <g class="plot-ticks">
        {toX.ticks.map(({ at, label }) => (
          <text x={toX.place(at)} y={bottom + 16} text-anchor="middle">
            {label}
          </text>
        ))}
        <text x={(left + right) / 2} y={bottom + EDGE.bottom - 8} text-anchor="middle">
          {formatAxis(x)}
        </text>
      </g>
    </>
  )
}

/** Returns the colour of a curve. All bands of a job have the same one, and a total has no colour. */
function colorOf({ name, isOther }: Series, index: number): string | undefined {
  if (isOther !== undefined || name === '') return COLORS[isOther === true ? 1 : 0]
  return name === TOTAL ? 'var(--text)' : COLORS[index % COLORS.length]
}

interface LegendProps {
  readonly series: readonly Series[]
  readonly mark: PlotData['mark'] | undefined
}

/** The names of the curves and of the mark. */
function Legend({ series, mark }: LegendProps): VNode | null {
  const named = new Map(
    series
      .filter(({ name }) => name !== '')
      .map((each, index) => [each.name, colorOf(each, index)] as const),
  )
  if (named.size === 0 && mark === undefined) return null
  return (
    <ul class="plot-legend">
      {[...named].map(([name, color]) => (
        <li style={{ color }}>{name}</li>
      ))}
      {mark !== undefined && <li class="plot-mark">{mark.label}</li>}
    </ul>
  )
}

function describe({ title, x, y, series, mark }: PlotData): string {
  const points = series.flatMap((each) => each.points)
  const [low, high] = findRange(points.map(([, at]) => at))
  const curves = series.length === 1 ? 'One curve' : `${series.length} curves`
  const names = [...new Set(series.map(({ name }) => name).filter(Boolean))]
  return [
    `${title}.`,
    `${curves} of ${formatAxis(y)} against ${formatAxis(x)}${names.length > 0 ? `: ${names.join(', ')}` : ''}.`,
    `The values are from ${Number(low.toPrecision(6))} to ${Number(high.toPrecision(6))}.`,
    mark === undefined ? '' : `${mark.label}.`,
  ]
    .join(' ')
    .trim()
}

const formatAxis = ({ label, units }: Axis): string =>
  units === '' ? label : `${label} / ${units}`

const drawPath = (places: readonly Point[]): string =>
  places
    .map(([x, y], index) => `${index === 0 ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}`)
    .join('')

/** The position of an axis in the picture, and the approximate distance of its ticks, in px. */
interface Extent {
  readonly start: number
  readonly end: number
  readonly distance: number
}

interface Scale {
  readonly place: (value: number) => number
  readonly ticks: readonly Tick[]
}

/** Maps the values of an axis to px. */
function createScale(
  { isLogarithmic = false, ticks }: Axis,
  values: readonly number[],
  { start, end, distance }: Extent,
): Scale {
  const toLine = isLogarithmic ? Math.log10 : Number
  const [low, high] = findRange(values.map(toLine))
  // A range of one value, and a curve along the edge, need some room. An axis with names starts at the
  // first name.
  const room = ticks === undefined ? (high - low) * 0.04 || Math.abs(low) * 0.1 || 1 : 0
  const [from, to] = [low - room, high + room]
  const count = Math.max(2, Math.floor(Math.abs(end - start) / distance))
  return {
    place: (value) => start + ((toLine(value) - from) / (to - from || 1)) * (end - start),
    ticks:
      ticks ??
      chooseTicks(from, to, count).map(({ at, label }) =>
        isLogarithmic ? { at: 10 ** at, label: (10 ** at).toExponential(0) } : { at, label },
      ),
  }
}

export const findRange = (values: readonly number[]): [number, number] => [
  values.reduce((least, value) => Math.min(least, value), Infinity),
  values.reduce((most, value) => Math.max(most, value), -Infinity),
]
