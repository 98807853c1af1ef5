import { CanvasTexture, LinearFilter, SRGBColorSpace } from 'three'

/** The texts of labels, drawn side by side in one texture. */
export interface LabelAtlas {
  readonly texture: CanvasTexture
  readonly columns: number
  readonly rows: number
  /** The place of each text, by columns and then by rows. */
  readonly places: ReadonlyMap<string, number>
}

/** The size of a label's place, in pixels. */
const [WIDTH, HEIGHT] = [128, 64]

/** The most different texts, which fill a texture of 2048 × 2048 pixels. */
export const MAX_TEXTS = 512

/** The width of a label's place, in units of its height. */
export const LABEL_ASPECT = WIDTH / HEIGHT

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

/** Draws texts into a texture. */
export function createLabelAtlas(texts: readonly string[], style: LabelStyle): LabelAtlas {
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
  const texture = new CanvasTexture(canvas)
  texture.colorSpace = SRGBColorSpace
  texture.minFilter = LinearFilter
  texture.generateMipmaps = false
  return { texture, columns, rows, places: new Map(texts.map((text, index) => [text, index])) }
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
