import { isDrawable, readCrystal } from '../../domain/materials/geometry/crystal.js'
import type { Crystal, DrawableMaterial } from '../../domain/materials/geometry/crystal.js'
import { listCellEdges, placeAtoms } from '../../domain/materials/geometry/supercell.js'
import { dot } from '../../domain/materials/vector.js'
import type { Vector } from '../../domain/materials/vector.js'
import { findBallRadius, findElementColor } from './colors.js'
import { findCorners, chooseOrientation } from './orientation.js'
import type { Orientation } from './orientation.js'

/** A point of a drawing: to the right, down, and to the viewer. */
type Point = readonly [x: number, y: number, depth: number]

interface Ball {
  readonly point: Point
  readonly radius: number
  readonly color: string
}

type Line = readonly [Point, Point]

/** The largest number of atoms of a thumbnail. Only some atoms of a larger structure are drawn. */
const MAX_BALLS = 4000

/** Fewer atoms than this are shaded. */
const MAX_SHADED = 60

/** A colour that is legible on a light and on a dark page. */
const LINE_COLOR = '#8b95a1'

/**
 * Draws a small picture of a structure, in less than a millisecond: the balls of its atoms, the farthest
 * first, and its cell. It fills the canvas; for a sharp picture, give the canvas `width` and `height` of
 * as many pixels as the screen has. A material that cannot be drawn leaves it empty.
 */
export function drawThumbnail(canvas: HTMLCanvasElement, material: DrawableMaterial): void {
  const context = canvas.getContext('2d')
  if (context === null) return
  context.clearRect(0, 0, canvas.width, canvas.height)
  const crystal = readCrystal(material)
  if (!isDrawable(crystal)) return
  const orientation = chooseOrientation(crystal)
  const balls = placeBalls(crystal, orientation)
  const lines = placeLines(crystal, orientation)
  fitInto(canvas, context, balls, placeCorners(crystal, orientation))
  drawLines(context, lines)
  for (const ball of balls) drawBall(context, ball, balls.length <= MAX_SHADED)
  context.resetTransform()
}

function placeBalls(crystal: Crystal, orientation: Orientation): Ball[] {
  const share = MAX_BALLS / crystal.sites.length
  const sites = crystal.sites.filter((_, index) => scatter(index) < share)
  return placeAtoms({ ...crystal, sites }, [1, 1, 1])
    .map(({ site, position }) => {
      const symbol = sites[site]?.symbol ?? ''
      const point = project(position, orientation)
      return { point, radius: 1.25 * findBallRadius(symbol), color: findElementColor(symbol) }
    })
    .toSorted((a, b) => a.point[2] - b.point[2])
}

/**
 * Returns a number from 0 to 1 that seems random, and is always the same for an index. Every nth atom
 * would be a stripe of the crystal.
 */
const scatter = (index: number): number => {
  const hash = Math.imul(Math.imul(index + 1, 0x9e3779b1) ^ (index >>> 3), 0x85ebca6b)
  return ((hash ^ (hash >>> 13)) >>> 0) / 2 ** 32
}

const placeLines = ({ isPeriodic, vectors }: Crystal, orientation: Orientation): Line[] =>
  (isPeriodic ? listCellEdges(vectors, [1, 1, 1]) : []).map(([from, to]): Line => [
    project(from, orientation),
    project(to, orientation),
  ])

const placeCorners = (crystal: Crystal, orientation: Orientation): Point[] =>
  crystal.isPeriodic
    ? findCorners(crystal, [1, 1, 1]).map((corner) => project(corner, orientation))
    : []

const project = (position: Vector, [right, up, toViewer]: Orientation): Point => [
  dot(position, right),
  -dot(position, up),
  dot(position, toViewer),
]

/** Moves and scales the following drawing, so that balls and points are within the canvas. */
function fitInto(
  { width, height }: HTMLCanvasElement,
  context: CanvasRenderingContext2D,
  balls: readonly Ball[],
  points: readonly Point[],
): void {
  const rim = points.map((point) => ({ point, radius: 0.2 }))
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity]
  for (const { point, radius } of [...balls, ...rim]) {
    left = Math.min(left, point[0] - radius)
    right = Math.max(right, point[0] + radius)
    top = Math.min(top, point[1] - radius)
    bottom = Math.max(bottom, point[1] + radius)
  }
  const factor = 0.94 * Math.min(width / (right - left), height / (bottom - top))
  const [x, y] = [(left + right) / 2, (top + bottom) / 2]
  context.setTransform(factor, 0, 0, factor, width / 2 - x * factor, height / 2 - y * factor)
  context.lineWidth = 1 / factor
}

function drawLines(context: CanvasRenderingContext2D, lines: readonly Line[]): void {
  context.beginPath()
  for (const [from, to] of lines) {
    context.moveTo(from[0], from[1])
    context.lineTo(to[0], to[1])
  }
  context.strokeStyle = LINE_COLOR
  context.stroke()
}

function drawBall(
  context: CanvasRenderingContext2D,
  { point: [x, y], radius, color }: Ball,
  isShaded: boolean,
): void {
  context.beginPath()
  context.arc(x, y, radius, 0, 2 * Math.PI)
  context.fillStyle = color
  context.fill()
  if (!isShaded) return
  const shade = context.createRadialGradient(
    x - radius * 0.4,
    y - radius * 0.4,
    radius * 0.1,
    x,
    y,
    radius,
  )
  shade.addColorStop(0, 'rgb(255 255 255 / 75%)')
  shade.addColorStop(0.45, 'rgb(255 255 255 / 0%)')
  shade.addColorStop(0.55, 'rgb(0 0 0 / 0%)')
  shade.addColorStop(1, 'rgb(0 0 0 / 45%)')
  context.fillStyle = shade
  context.fill()
}
