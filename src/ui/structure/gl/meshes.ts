import { scale, subtract } from '../../../domain/materials/vector.js'
import type { Vector } from '../../../domain/materials/vector.js'
import type { LabelAtlas, Mesh, Piece, Renderer } from './renderer.js'
import { createBall, createRod } from './shapes.js'

/** A ball to draw. */
export interface Ball {
  readonly position: Vector
  /** Å */
  readonly radius: number
  /** In any form of `parseColor`. */
  readonly color: string
}

/** Makes one mesh of all balls, so that they are one draw call however many there are. */
export function createBallMesh(renderer: Renderer, balls: readonly Ball[]): Mesh {
  const pieces = balls.map(({ position, radius, color }): Piece => ({
    base: position,
    axis: [0, radius, 0],
    radius,
    color: toLinear(parseColor(color)),
  }))
  return renderer.createMesh(createBall(balls.length), pieces, 'solid')
}

/** A cylinder to draw, from one point in Å to another. */
interface Rod {
  readonly from: Vector
  readonly to: Vector
  /** In any form of `parseColor`. */
  readonly color: string
}

/**
 * Makes one mesh of all rods, so that they are one draw call however many there are.
 * @param radius in Å
 * @param kind whether they have light and shade
 */
export function createRodMesh(
  renderer: Renderer,
  rods: readonly Rod[],
  radius: number,
  kind: 'solid' | 'flat',
): Mesh {
  const pieces = rods.map(({ from, to, color }): Piece => ({
    base: from,
    axis: subtract(to, from),
    radius,
    color: toLinear(parseColor(color)),
  }))
  return renderer.createMesh(createRod(rods.length), pieces, kind)
}

/** Parses `#rrggbb` or `rgb(r, g, b)` as three numbers from 0 to 1. */
export function parseColor(text: string): Vector {
  const parts = text.startsWith('#')
    ? (text.slice(1).match(/../g) ?? []).map((each) => Number.parseInt(each, 16))
    : (text.match(/[\d.]+/g) ?? []).map(Number)
  const [red = 0, green = 0, blue = 0] = parts
  return scale([red, green, blue], 1 / 255)
}

/** Returns a colour of sRGB in linear light, in which light adds up. */
const toLinear = (color: Vector): Vector =>
  color.map((each) =>
    each <= 0.04045 ? each / 12.92 : ((each + 0.055) / 1.055) ** 2.4,
  ) as unknown as Vector

/** Returns the first colour mixed with a share of the second, in linear light. */
export function mixColors(one: string, other: string, share: number): string {
  const [from, to] = [toLinear(parseColor(one)), toLinear(parseColor(other))]
  const mixed = from.map((each, index) => each + ((to[index] ?? 0) - each) * share)
  return `rgb(${mixed.map((each) => 255 * encode(each)).join(', ')})`
}

const encode = (each: number): number =>
  each <= 0.0031308 ? 12.92 * each : 1.055 * each ** (1 / 2.4) - 0.055

/** A text on a ball. */
interface Label {
  readonly position: Vector
  /** That of the ball, in Å. */
  readonly radius: number
  readonly text: string
}

/**
 * Makes a mesh of labels. Each faces the viewer in front of its own ball, and is hidden by the balls before
 * it. Beyond 512 different texts, the labels that come last are left out.
 */
export function createLabelMesh(
  renderer: Renderer,
  labels: readonly Label[],
  style: LabelStyle,
): Mesh {
  const texts = [...new Set(labels.map(({ text }) => text))].slice(0, MAX_TEXTS)
  const atlas = createLabelAtlas(texts, style)
  const { columns, rows } = atlas
  const placed = labels.flatMap(({ text, position, radius }) => {
    const place = texts.indexOf(text)
    const corner = [(place % columns) / columns, 1 - (Math.floor(place / columns) + 1) / rows]
    return place === -1 ? [] : [[...position, radius, ...corner]]
  })
  return renderer.createLabels(placed, atlas, style.height)
}

/** The size of a label's place, in pixels: twice as wide as high, as the shader has it. */
const [WIDTH, HEIGHT] = [128, 64]

/** The most different texts, which fill a texture of 2048 × 2048 pixels. */
const MAX_TEXTS = 512

/** How labels look. */
interface LabelStyle {
  /** The CSS colour of the letters, and of the rim around them, if they have one. */
  readonly color: string
  readonly rim?: string
  /** In units of the atom's radius; larger than the letters. */
  readonly height: number
}

/** White with a dark rim, which is legible on an atom of any colour. */
export const ATOM_LABEL: LabelStyle = {
  color: '#ffffff',
  rim: 'rgb(16 20 26 / 85%)',
  height: 1.65,
}

/** Draws texts side by side, by columns and then by rows. */
function createLabelAtlas(texts: readonly string[], style: LabelStyle): LabelAtlas {
  const columns = Math.min(16, texts.length)
  const rows = Math.ceil(texts.length / columns)
  const canvas = document.createElement('canvas')
  canvas.width = columns * WIDTH
  canvas.height = rows * HEIGHT
  const context = canvas.getContext('2d')
  texts.forEach((text, index) => {
    const x = (index % columns) * WIDTH
    const y = Math.floor(index / columns) * HEIGHT
    if (context !== null) drawText(context, text, style, x + WIDTH / 2, y + HEIGHT / 2)
  })
  return { canvas, columns, rows }
}

function drawText(
  context: CanvasRenderingContext2D,
  text: string,
  { color, rim }: LabelStyle,
  x: number,
  y: number,
): void {
  context.font = '600 38px system-ui, sans-serif'
  context.textAlign = 'center'
  context.textBaseline = 'middle'
  context.lineJoin = 'round'
  context.lineWidth = 8
  if (rim !== undefined) {
    context.strokeStyle = rim
    context.strokeText(text, x, y, WIDTH - 12)
  }
  context.fillStyle = color
  context.fillText(text, x, y, WIDTH - 12)
}
