/** The colours of the page around a canvas, as `rgb(r, g, b)`. */
export interface Theme {
  /** Of edges and texts. */
  readonly lineColor: string
  readonly background: string
}

/** Returns the colours that the style sheet gives a canvas, in any notation of CSS. */
export function readTheme(canvas: HTMLCanvasElement): Theme {
  const { color, backgroundColor } = getComputedStyle(canvas)
  return {
    lineColor: toRgb(color),
    background: toRgb(backgroundColor),
  }
}

function toRgb(color: string): string {
  const canvas = document.createElement('canvas')
  canvas.width = 1
  canvas.height = 1
  const context = canvas.getContext('2d', { willReadFrequently: true })
  if (context === null) return 'rgb(255, 255, 255)'
  context.fillStyle = '#ffffff'
  context.fillRect(0, 0, 1, 1)
  context.fillStyle = color
  context.fillRect(0, 0, 1, 1)
  const [red = 255, green = 255, blue = 255] = context.getImageData(0, 0, 1, 1).data
  return `rgb(${red}, ${green}, ${blue})`
}
