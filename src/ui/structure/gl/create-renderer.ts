import { WebGLRenderer } from 'three'

/**
 * Returns a renderer for a canvas; undefined if the browser has no WebGL 2. The context is made here and
 * not by three, which writes to the console where there is none.
 */
export function createRenderer(canvas: HTMLCanvasElement): WebGLRenderer | undefined {
  const context = canvas.getContext('webgl2', { antialias: true, powerPreference: 'low-power' })
  if (context === null) return undefined
  const renderer = new WebGLRenderer({ canvas, context })
  // A frame is two scenes, the structure and its axes.
  renderer.info.autoReset = false
  renderer.autoClear = false
  return renderer
}

/** Frees a renderer and its context. Browsers have room for about 16 contexts. */
export function disposeRenderer(renderer: WebGLRenderer): void {
  const context = renderer.getContext()
  renderer.dispose()
  context.getExtension('WEBGL_lose_context')?.loseContext()
}
