import type { Vector } from '../../../domain/materials/vector.js'
import type { LabelAtlas, Mesh, Renderer } from './renderer.js'

/** A text on a ball. */
export interface Label {
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
export interface LabelStyle {
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
