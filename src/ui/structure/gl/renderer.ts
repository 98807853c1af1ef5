import type { Vector } from '../../../domain/materials/vector.js'
import {
  FLAT_FRAGMENT,
  LABEL_FRAGMENT,
  LABEL_VERTEX,
  SOLID_FRAGMENT,
  SOLID_VERTEX,
} from './shaders.js'
import type { Shape } from './shapes.js'

/** The texts of labels, drawn side by side in one texture. */
export interface LabelAtlas {
  readonly canvas: HTMLCanvasElement
  readonly columns: number
  readonly rows: number
}

/** A ball or a rod: it begins at `base`, and is as long as `axis`. All in Å. */
export interface Piece {
  readonly base: Vector
  readonly axis: Vector
  readonly radius: number
  /** Red, green and blue from 0 to 1, in linear light. */
  readonly color: Vector
}

/** Equal shapes, which are one draw call however many there are. */
export interface Mesh {
  readonly kind: 'solid' | 'flat' | 'label'
  readonly array: WebGLVertexArrayObject
  readonly buffers: readonly WebGLBuffer[]
  readonly texture?: WebGLTexture
  /** The size of a text in the texture, and its height in units of the radius. */
  readonly size?: readonly [number, number]
  readonly height?: number
  /** The number of corners of a shape, and of shapes. */
  readonly corners: number
  readonly count: number
}

/** From where, and in what, meshes are seen. Matrices have their columns one after the other. */
export interface View {
  readonly modelView: readonly number[]
  readonly projection: readonly number[]
  readonly isParallel: boolean
  /** The distances from the viewer between which all fades into the background. */
  readonly fog?: { readonly near: number; readonly far: number; readonly color: Vector }
}

/** Draws meshes on a canvas with WebGL 2. */
export class Renderer {
  readonly canvas: HTMLCanvasElement
  readonly #gl: WebGL2RenderingContext
  readonly #meshes = new Set<Mesh>()
  #programs: Readonly<Record<Mesh['kind'], WebGLProgram>>

  private constructor(canvas: HTMLCanvasElement, gl: WebGL2RenderingContext) {
    this.canvas = canvas
    this.#gl = gl
    this.#programs = this.#prepare()
    // Without this, the browser does not restore a context that it has taken away.
    canvas.addEventListener('webglcontextlost', (event) => event.preventDefault())
    canvas.addEventListener('webglcontextrestored', () => {
      this.#meshes.clear()
      this.#programs = this.#prepare()
    })
  }

  /** Returns a renderer; undefined if the browser has no WebGL 2. */
  static create(canvas: HTMLCanvasElement): Renderer | undefined {
    const gl = canvas.getContext('webgl2', { antialias: true, powerPreference: 'low-power' })
    return gl === null ? undefined : new Renderer(canvas, gl)
  }

  #prepare(): Readonly<Record<Mesh['kind'], WebGLProgram>> {
    const gl = this.#gl
    gl.enable(gl.DEPTH_TEST)
    gl.enable(gl.CULL_FACE)
    gl.blendFuncSeparate(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA, gl.ONE, gl.ONE_MINUS_SRC_ALPHA)
    return {
      solid: link(gl, SOLID_VERTEX, SOLID_FRAGMENT),
      flat: link(gl, SOLID_VERTEX, FLAT_FRAGMENT),
      label: link(gl, LABEL_VERTEX, LABEL_FRAGMENT),
    }
  }

  /** Makes a mesh of balls or rods. */
  createMesh(shape: Shape, pieces: readonly Piece[], kind: 'solid' | 'flat'): Mesh {
    const data = pieces.flatMap(({ base, axis, radius, color }) => [
      ...base,
      ...axis,
      radius,
      ...color,
    ])
    const [array, ...buffers] = this.#createArray([
      { data: shape.corners, sizes: [3, 3], divisor: 0 },
      { data: new Float32Array(data), sizes: [3, 3, 1, 3], divisor: 1 },
    ])
    return this.#keep({ kind, array, buffers, corners: shape.count, count: pieces.length })
  }

  /** Makes a mesh of labels: a centre, a radius and the corner of the text for each. */
  createLabels(labels: readonly (readonly number[])[], atlas: LabelAtlas, height: number): Mesh {
    const gl = this.#gl
    const [array, ...buffers] = this.#createArray([
      { data: new Float32Array(labels.flat()), sizes: [3, 1, 2], divisor: 1 },
    ])
    const texture = gl.createTexture()
    gl.bindTexture(gl.TEXTURE_2D, texture)
    gl.pixelStorei(gl.UNPACK_FLIP_Y_WEBGL, true)
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, gl.RGBA, gl.UNSIGNED_BYTE, atlas.canvas)
    for (const side of [gl.TEXTURE_WRAP_S, gl.TEXTURE_WRAP_T])
      gl.texParameteri(gl.TEXTURE_2D, side, gl.CLAMP_TO_EDGE)
    for (const filter of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER])
      gl.texParameteri(gl.TEXTURE_2D, filter, gl.LINEAR)
    const size = [1 / atlas.columns, 1 / atlas.rows] as const
    return this.#keep({
      kind: 'label',
      array,
      buffers,
      texture,
      size,
      height,
      corners: 4,
      count: labels.length,
    })
  }

  #keep(mesh: Mesh): Mesh {
    this.#meshes.add(mesh)
    return mesh
  }

  /** Frees the memory of a mesh on the graphics card. */
  free(mesh: Mesh): void {
    if (!this.#meshes.delete(mesh)) return // it went with the context
    const { array, buffers, texture } = mesh
    this.#gl.deleteVertexArray(array)
    for (const buffer of buffers) this.#gl.deleteBuffer(buffer)
    if (texture !== undefined) this.#gl.deleteTexture(texture)
  }

  /** Gives the canvas a size in pixels, and fills it with a colour. */
  clear(width: number, height: number, [red, green, blue]: Vector): void {
    const { canvas } = this
    if (canvas.width !== width) canvas.width = width
    if (canvas.height !== height) canvas.height = height
    this.#gl.clearColor(red, green, blue, 1)
    this.#gl.clear(this.#gl.COLOR_BUFFER_BIT)
  }

  /** Draws meshes over the canvas, into a part from its lower left. */
  draw(meshes: readonly Mesh[], view: View, width: number, height: number): void {
    const gl = this.#gl
    gl.viewport(0, 0, width, height)
    gl.depthMask(true)
    gl.clear(gl.DEPTH_BUFFER_BIT)
    for (const mesh of meshes) {
      const isLabel = mesh.kind === 'label'
      this.#setUniforms(mesh, view)
      gl.depthMask(!isLabel)
      if (isLabel) gl.enable(gl.BLEND)
      else gl.disable(gl.BLEND)
      gl.bindVertexArray(mesh.array)
      const shape = isLabel ? gl.TRIANGLE_STRIP : gl.TRIANGLES
      gl.drawArraysInstanced(shape, 0, mesh.corners, mesh.count)
    }
    gl.bindVertexArray(null)
  }

  /** Frees the context. Browsers have room for about 16. */
  dispose(): void {
    this.#gl.getExtension('WEBGL_lose_context')?.loseContext()
  }

  #setUniforms(mesh: Mesh, { modelView, projection, isParallel, fog }: View): void {
    const gl = this.#gl
    const program = this.#programs[mesh.kind]
    const at = (name: string): WebGLUniformLocation | null => gl.getUniformLocation(program, name)
    gl.useProgram(program)
    gl.uniformMatrix4fv(at('modelView'), false, modelView)
    gl.uniformMatrix4fv(at('projection'), false, projection)
    if (mesh.kind === 'label') {
      gl.bindTexture(gl.TEXTURE_2D, mesh.texture ?? null)
      gl.uniform1i(at('isParallel'), isParallel ? 1 : 0)
      gl.uniform2fv(at('size'), mesh.size ?? [1, 1])
      gl.uniform1f(at('height'), mesh.height ?? 1)
    } else {
      const { near, far, color } = fog ?? NO_FOG
      gl.uniform1i(at('isParallel'), isParallel ? 1 : 0)
      gl.uniform2f(at('fog'), near, far)
      gl.uniform3fv(at('fogColor'), color)
    }
  }

  #createArray(parts: readonly ArrayPart[]): [WebGLVertexArrayObject, ...WebGLBuffer[]] {
    const gl = this.#gl
    const array = gl.createVertexArray()
    gl.bindVertexArray(array)
    let location = 0
    const buffers = parts.map(({ data, sizes, divisor }) => {
      const buffer = gl.createBuffer()
      gl.bindBuffer(gl.ARRAY_BUFFER, buffer)
      gl.bufferData(gl.ARRAY_BUFFER, data, gl.STATIC_DRAW)
      const stride = 4 * sizes.reduce((sum, size) => sum + size, 0)
      let offset = 0
      for (const size of sizes) {
        gl.enableVertexAttribArray(location)
        gl.vertexAttribPointer(location, size, gl.FLOAT, false, stride, offset)
        gl.vertexAttribDivisor(location, divisor)
        location += 1
        offset += 4 * size
      }
      return buffer
    })
    gl.bindVertexArray(null)
    return [array, ...buffers]
  }
}

interface ArrayPart {
  readonly data: Float32Array<ArrayBuffer>
  /** The numbers of components of the attributes, one after the other. */
  readonly sizes: readonly number[]
  /** 1 for attributes of a whole shape. */
  readonly divisor: 0 | 1
}

const NO_FOG = { near: 1e8, far: 1e9, color: [0, 0, 0] } as const

function link(gl: WebGL2RenderingContext, vertex: string, fragment: string): WebGLProgram {
  const program = gl.createProgram()
  for (const [type, source] of [
    [gl.VERTEX_SHADER, vertex],
    [gl.FRAGMENT_SHADER, fragment],
  ] as const) {
    const shader = gl.createShader(type)
    if (shader === null) continue // the context is lost
    gl.shaderSource(shader, source)
    gl.compileShader(shader)
    gl.attachShader(program, shader)
    gl.deleteShader(shader)
  }
  gl.linkProgram(program)
  return program
}
