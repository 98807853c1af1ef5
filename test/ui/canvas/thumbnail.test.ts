import t from 'tap'

import { isDrawable, readCrystal } from '../../../src/domain/materials/geometry/crystal.js'
import type { DrawableMaterial } from '../../../src/domain/materials/geometry/crystal.js'
import { dot } from '../../../src/domain/materials/vector.js'
import { findBallRadius, findElementColor } from '../../../src/ui/structure/colors.js'
import { chooseOrientation } from '../../../src/ui/structure/orientation.js'
import { drawThumbnail } from '../../../src/ui/structure/thumbnail.js'
import { createMaterial } from '../../structures.js'

/** A circle in pixels, and its colour. */
interface Circle {
  readonly x: number
  readonly y: number
  readonly radius: number
  readonly color: string
}

/** A shade: where its light begins, the ball that it is on, and the offsets of its colours. */
interface Shade {
  readonly light: Circle
  readonly ball: Circle
  readonly offsets: number[]
}

/** A canvas that records what is drawn on it. */
class RecordingCanvas {
  readonly width: number
  readonly height: number
  readonly circles: Circle[] = []
  readonly shades: Shade[] = []
  readonly lines: (readonly [x: number, y: number])[] = []
  /** The width of the lines in pixels. */
  lineWidth = 1
  strokeStyle = ''
  fillStyle: unknown = ''
  #factor = 1
  #offset: readonly [x: number, y: number] = [0, 0]
  #circle: Circle | undefined

  constructor(width: number, height: number) {
    this.width = width
    this.height = height
  }

  getContext(): this {
    return this
  }

  clearRect(): void {
    this.circles.length = 0
    this.lines.length = 0
  }

  setTransform(factor: number, b: number, c: number, d: number, x: number, y: number): void {
    if (b !== 0 || c !== 0 || d !== factor) throw new Error('circles must stay circles')
    this.#factor = factor
    this.#offset = [x, y]
  }

  resetTransform(): void {
    this.lineWidth *= this.#factor
    this.setTransform(1, 0, 0, 1, 0, 0)
  }

  beginPath(): void {
    this.#circle = undefined
  }

  moveTo(x: number, y: number): void {
    this.lines.push(this.#toPixels(x, y))
  }

  lineTo(x: number, y: number): void {
    this.lines.push(this.#toPixels(x, y))
  }

  stroke(): void {}

  arc(x: number, y: number, radius: number, start: number, end: number): void {
    if (start !== 0 || end !== 2 * Math.PI) throw new Error('an arc must be a whole circle')
    this.#circle = this.#toCircle(x, y, radius)
  }

  fill(): void {
    if (this.#circle !== undefined && typeof this.fillStyle === 'string')
      this.circles.push({ ...this.#circle, color: this.fillStyle })
  }

  createRadialGradient(
    ...[x0, y0, r0, x1, y1, r1]: [number, number, number, number, number, number]
  ) {
    const offsets: number[] = []
    this.shades.push({
      light: this.#toCircle(x0, y0, r0),
      ball: this.#toCircle(x1, y1, r1),
      offsets,
    })
    return { addColorStop: (offset: number) => offsets.push(offset) }
  }

  #toPixels(x: number, y: number): readonly [x: number, y: number] {
    return [x * this.#factor + this.#offset[0], y * this.#factor + this.#offset[1]]
  }

  #toCircle(left: number, top: number, radius: number): Circle {
    const [x, y] = this.#toPixels(left, top)
    return { x, y, radius: radius * this.#factor, color: '' }
  }
}

function draw(material: DrawableMaterial, width = 96, height = 64): RecordingCanvas {
  const canvas = new RecordingCanvas(width, height)
  drawThumbnail(canvas as unknown as HTMLCanvasElement, material)
  return canvas
}

const SALT = createMaterial(
  [5.6, 5.6, 5.6],
  [
    ['Na', 0, 0, 0],
    ['Cl', 0.5, 0.5, 0.5],
  ],
)

const MOLECULE = createMaterial(
  [10, 10, 10],
  [
    ['O', 0, 0, 0],
    ['C', 1.2, 0, 0],
    ['O', 2.4, 0, 0],
  ],
  { units: 'cartesian', isNonPeriodic: true },
)

/** A cube of atoms, as many along each edge. */
const createCube = (count: number): DrawableMaterial => {
  const edge = [...Array(count).keys()].map((index) => (index + 0.5) / count)
  const sites = edge.flatMap((x) => edge.flatMap((y) => edge.map((z) => ['Si', x, y, z] as const)))
  return createMaterial([3 * count, 3 * count, 3 * count], sites)
}

/** Returns the left, top, right and bottom of all that a canvas shows. */
function findExtent({ circles, lines }: RecordingCanvas): [number, number, number, number] {
  const points = [...lines, ...circles.map(({ x, y }) => [x, y] as const)]
  const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)]
  const edges = circles.map(({ x, y, radius }) => [x - radius, y - radius, x + radius, y + radius])
  const column = (index: number): number[] => edges.map((edge) => edge[index] ?? NaN)
  return [
    Math.min(...xs, ...column(0)),
    Math.min(...ys, ...column(1)),
    Math.max(...xs, ...column(2)),
    Math.max(...ys, ...column(3)),
  ]
}

t.test('a structure fills the canvas, and nothing of it is cut off', async (t) => {
  for (const [name, material] of Object.entries({ SALT, MOLECULE, CUBE: createCube(3) })) {
    for (const [width, height] of [
      [96, 64],
      [40, 200],
    ] as const) {
      const [left, top, right, bottom] = findExtent(draw(material, width, height))
      t.ok(left >= 0 && top >= 0 && right <= width && bottom <= height, `${name} is within`)
      const share = Math.max((right - left) / width, (bottom - top) / height)
      t.ok(share > 0.85 && share <= 0.94001, `${name} fills ${share.toFixed(3)} of ${width}`)
      t.ok(Math.abs(left + right - width) < 2, `${name} is in the middle of the width`)
      t.ok(Math.abs(top + bottom - height) < 2, `${name} is in the middle of the height`)
    }
  }
})

t.test('balls have the sizes and colours of their elements, the farthest first', async (t) => {
  const { circles, lines } = draw(SALT)
  const [na, cl] = ['Na', 'Cl'].map((symbol) =>
    circles.filter(({ color }) => color === findElementColor(symbol)),
  ) as [Circle[], Circle[]]
  t.equal(na.length, 8, 'an atom at a corner is at each corner')
  t.equal(cl.length, 1)
  const ratio = Number(na[0]?.radius) / Number(cl[0]?.radius)
  t.ok(Math.abs(ratio - findBallRadius('Na') / findBallRadius('Cl')) < 1e-9)
  t.equal(lines.length, 24, 'twelve edges')
  // The corner that is nearest to the viewer is drawn last, in the direction that it has from the middle.
  const crystal = readCrystal(SALT)
  if (!isDrawable(crystal)) throw new Error(crystal.reason)
  const [right, up, toViewer] = chooseOrientation(crystal)
  const nearest = toViewer.map(Math.sign) as [number, number, number]
  const [middle, last] = [cl[0], circles.at(-1)] as [Circle, Circle]
  const [x, y] = [dot(nearest, right), -dot(nearest, up)]
  t.ok(Math.abs((last.x - middle.x) * y - (last.y - middle.y) * x) < 1e-6)
  t.ok((last.x - middle.x) * x + (last.y - middle.y) * y > 0)
})

t.test('a molecule has no cell, and is seen as its orientation says', async (t) => {
  const crystal = readCrystal(MOLECULE)
  if (!isDrawable(crystal)) throw new Error(crystal.reason)
  const { circles, lines } = draw(MOLECULE)
  t.equal(lines.length, 0)
  const [right, up] = chooseOrientation(crystal)
  // From the left oxygen to the right one, and to the carbon between them.
  const ordered = circles.toSorted((a, b) => a.x - b.x)
  const [first, middle, last] = ordered as [Circle, Circle, Circle]
  t.equal(middle.color, findElementColor('C'))
  const [x, y] = [last.x - first.x, last.y - first.y]
  t.ok(Math.abs(x * up[0] + y * right[0]) < 1e-6, 'up is up')
  t.ok(Math.abs(x - 2 * (middle.x - first.x)) < 1e-6)
  t.ok(Math.abs(y - 2 * (middle.y - first.y)) < 1e-6)
})

t.test('few atoms have light from the upper left, many have none', async (t) => {
  const { shades, circles, lineWidth } = draw(SALT)
  t.equal(shades.length, circles.length)
  t.ok(Math.abs(lineWidth - 1) < 1e-9, 'a line is a pixel wide')
  for (const { light, ball, offsets } of shades) {
    t.ok(light.x < ball.x && light.y < ball.y)
    const reach = Math.hypot(ball.x - light.x, ball.y - light.y) + light.radius
    t.ok(reach < ball.radius, 'the light is within the ball')
    t.same(offsets, [0, 0.45, 0.55, 1])
  }
  t.equal(draw(createCube(3)).shades.length, 27)
  t.equal(draw(createCube(4)).shades.length, 0)
})

t.test('of very many atoms, some are drawn from all parts', async (t) => {
  const { circles } = draw(createCube(20), 200, 200)
  t.ok(circles.length > 3800 && circles.length < 4200, `${circles.length} of 8000`)
  const [left, top, right, bottom] = [20, 20, 180, 180]
  const parts = new Map<string, number>()
  for (const { x, y } of circles) {
    const column = Math.floor((4 * (x - left)) / (right - left))
    const row = Math.floor((4 * (y - top)) / (bottom - top))
    const key = `${column} ${row}`
    parts.set(key, (parts.get(key) ?? 0) + 1)
  }
  const inner = ['1 1', '1 2', '2 1', '2 2'].map((key) => parts.get(key) ?? 0)
  t.ok(Math.min(...inner) > 0.7 * Math.max(...inner), inner.join())
  t.equal(draw(createCube(15)).circles.length, 3375, 'all of fewer than 4000')
})

t.test('what can not be drawn leaves the canvas empty', async (t) => {
  const canvas = new RecordingCanvas(10, 10)
  drawThumbnail(canvas as unknown as HTMLCanvasElement, SALT)
  t.ok(canvas.circles.length > 0)
  drawThumbnail(canvas as unknown as HTMLCanvasElement, {})
  t.same([canvas.circles, canvas.lines], [[], []])
})
