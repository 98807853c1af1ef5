import t from 'tap'
import type { Test } from 'tap'

import { isDrawable, readCrystal } from '../../../src/domain/materials/geometry/crystal.js'
import { composePicture, createModel } from '../../../src/ui/structure/gl/scene.js'
import type { SceneContent } from '../../../src/ui/structure/gl/scene.js'
import { findAxes } from '../../../src/ui/structure/orientation.js'
import { Pose } from '../../../src/ui/structure/pose.js'
import { addTurnControls, StructureView } from '../../../src/ui/structure/structure-view.js'
import { replace } from '../../replace.js'
import { createMaterial } from '../../structures.js'

/** The values of the uniforms of a program, by their names. */
type Uniforms = Readonly<Record<string, readonly number[]>>

/** A call that draws, with what it depends on. */
interface Drawn {
  readonly mode: string
  readonly count: number
  readonly viewport: readonly number[]
  readonly isBlended: boolean
  readonly uniforms: Uniforms
}

const createObject = (): object => ({})

/** A context of WebGL that records what is drawn. Each constant has its own name as its value. */
class RecordingContext {
  readonly drawn: Drawn[] = []
  color: readonly number[] = []
  #viewport: readonly number[] = []
  #isBlended = false
  #program = {}
  readonly #uniforms = new Map<object, Record<string, readonly number[]>>()

  static create(): RecordingContext {
    return new Proxy(new RecordingContext(), {
      get: (target, name: string) => {
        const value = Reflect.get(target, name, target)
        if (typeof value === 'function') return value.bind(target)
        return value ?? (/^[A-Z]/.test(name) ? name : createObject)
      },
    })
  }

  clearColor(...color: number[]): void {
    this.color = color
  }

  viewport(...place: number[]): void {
    this.#viewport = place
  }

  enable(capability: string): void {
    if (capability === 'BLEND') this.#isBlended = true
  }

  disable(capability: string): void {
    if (capability === 'BLEND') this.#isBlended = false
  }

  useProgram(program: object): void {
    this.#program = program
  }

  getUniformLocation(program: object, name: string): (values: readonly number[]) => void {
    const uniforms = this.#uniforms.get(program) ?? {}
    this.#uniforms.set(program, uniforms)
    return (values) => {
      uniforms[name] = values
    }
  }

  uniformMatrix4fv(
    set: (values: readonly number[]) => void,
    isTransposed: boolean,
    matrix: readonly number[],
  ): void {
    if (isTransposed) throw new Error('the matrices have their columns one after the other')
    set(matrix)
  }

  uniform1i(set: (values: readonly number[]) => void, ...values: number[]): void {
    set(values)
  }

  uniform1f(set: (values: readonly number[]) => void, ...values: number[]): void {
    set(values)
  }

  uniform2f(set: (values: readonly number[]) => void, ...values: number[]): void {
    set(values)
  }

  uniform2fv(set: (values: readonly number[]) => void, values: readonly number[]): void {
    set(values)
  }

  uniform3fv(set: (values: readonly number[]) => void, values: readonly number[]): void {
    set(values)
  }

  drawArraysInstanced(mode: string, _first: number, _corners: number, count: number): void {
    const uniforms = { ...this.#uniforms.get(this.#program) }
    this.drawn.push({
      mode,
      count,
      viewport: this.#viewport,
      isBlended: this.#isBlended,
      uniforms,
    })
  }
}

/** A canvas with a size in CSS pixels and listeners. */
class FakeCanvas extends EventTarget {
  readonly context = RecordingContext.create()
  readonly captured: number[] = []
  width = 0
  height = 0
  readonly clientWidth: number
  readonly clientHeight: number

  constructor(clientWidth: number, clientHeight: number) {
    super()
    this.clientWidth = clientWidth
    this.clientHeight = clientHeight
  }

  getContext(): RecordingContext {
    return this.context
  }

  setPointerCapture(id: number): void {
    this.captured.push(id)
  }
}

const asCanvas = (canvas: FakeCanvas): HTMLCanvasElement => canvas as unknown as HTMLCanvasElement

const crystal = readCrystal(createMaterial([4, 4, 4], [['O', 0.5, 0.5, 0.5]]))
if (!isDrawable(crystal)) throw new Error(crystal.reason)
const CONTENT: SceneContent = {
  sites: crystal.sites,
  picture: composePicture(createModel(crystal), [1, 1, 1], []),
  hasLabels: true,
  hasEdges: true,
  theme: { lineColor: '#000000', background: 'rgb(51, 102, 204)' },
}
const BOUNDS = { center: [1, 2, 3], halfSize: [3, 2, 1], radius: 5 } as const

/** Shows the structure, changes its pose, and returns what a frame draws. */
function draw(
  t: Test,
  canvas: FakeCanvas,
  projection: 'perspective' | 'parallel',
  change: (pose: Pose) => void = () => {},
): readonly Drawn[] {
  const context = { strokeText: () => {}, fillText: () => {} }
  const document = { createElement: () => ({ getContext: () => context }) }
  replace(t, globalThis, 'document', document as never)
  replace(t, globalThis, 'window', { devicePixelRatio: 3 } as never)
  for (const name of ['requestAnimationFrame', 'cancelAnimationFrame'] as const)
    replace(t, globalThis, name, () => 1)
  const view = StructureView.create(asCanvas(canvas))
  view?.show(CONTENT, BOUNDS, findAxes(crystal as never), projection)
  view?.move(change)
  canvas.context.drawn.length = 0
  view?.render()
  return canvas.context.drawn
}

/** Returns a point as a matrix moves it, before its division by the last component. */
const multiply = (matrix: readonly number[], point: readonly number[]): number[] =>
  [0, 1, 2, 3].map((row) =>
    point.reduce((sum, each, column) => sum + each * (matrix[column * 4 + row] ?? NaN), 0),
  )

/** Returns where a point in Å is drawn: 1 is the right and the top of the view. */
function project(
  { modelView = [], projection = [] }: Uniforms,
  point: readonly number[],
): [x: number, y: number] {
  const [x = NaN, y = NaN, , w = NaN] = multiply(projection, multiply(modelView, [...point, 1]))
  return [x / w, y / w]
}

const round = (values: readonly number[]): number[] =>
  values.map((each) => Math.round(each * 1e6) / 1e6 + 0)

t.test('a frame has the structure in its middle, and the axes in a corner', async (t) => {
  for (const projection of ['perspective', 'parallel'] as const) {
    const canvas = new FakeCanvas(400, 200)
    const drawn = draw(t, canvas, projection)
    t.same([canvas.width, canvas.height], [800, 400], 'at most two pixels along a CSS pixel')
    t.same(round(canvas.context.color), [0.2, 0.4, 0.8, 1], 'the background is that of the page')
    t.same(
      drawn.map(({ mode, count, isBlended }) => [mode, count, isBlended]),
      [
        ['TRIANGLES', 1, false],
        ['TRIANGLES', 12, false],
        ['TRIANGLE_STRIP', 1, true],
        ['TRIANGLES', 3, false],
        ['TRIANGLES', 4, false],
        ['TRIANGLE_STRIP', 3, true],
      ],
      'atoms, edges and labels; rods, balls and names of the axes',
    )
    const [atoms, edges, labels, rods, , names] = drawn as [
      Drawn,
      Drawn,
      Drawn,
      Drawn,
      Drawn,
      Drawn,
    ]
    for (const { uniforms, viewport } of [atoms, edges, labels]) {
      t.same(viewport, [0, 0, 800, 400])
      t.same(round(project(uniforms, BOUNDS.center)), [0, 0])
      t.same(uniforms.isParallel, [projection === 'parallel' ? 1 : 0])
    }
    const [, , z = NaN] = multiply(atoms.uniforms.modelView ?? [], [...BOUNDS.center, 1])
    t.same(round(atoms.uniforms.fog ?? []), round([-z - 0.3 * 5, -z + 3.5 * 5]))
    t.same(round(atoms.uniforms.fogColor ?? []), [0.2, 0.4, 0.8])
    t.same([labels.uniforms.height, labels.uniforms.size], [[1.65], [1, 1]])
    for (const { uniforms, viewport } of [rods, names]) {
      t.same(viewport, [0, 0, 192, 192])
      t.same(round(project(uniforms, [1.8, 0.9, 0])), [1, 0.5])
      t.same(uniforms.isParallel, [1])
    }
    t.ok(Number(rods.uniforms.fog?.[0]) > 1000, 'no fog is around the axes')
    t.same([names.uniforms.height, names.uniforms.size], [[5.75], [1 / 3, 1]])
  }
  const narrow = draw(t, new FakeCanvas(150, 200), 'parallel')
  t.same(narrow.at(-1)?.viewport, [0, 0, 100, 100], 'the axes take a third of a narrow view')
})

t.test('a structure is moved in units of the height, and enlarged around the middle', async (t) => {
  for (const projection of ['perspective', 'parallel'] as const) {
    const [first] = draw(t, new FakeCanvas(400, 200), projection)
    const [moved] = draw(t, new FakeCanvas(400, 200), projection, (pose) => {
      pose.enlarge(2)
      pose.move(0.3, 0.1)
    })
    const [near] = draw(t, new FakeCanvas(400, 200), projection, (pose) => pose.enlarge(2))
    const { center } = BOUNDS
    t.same(round(project(moved?.uniforms ?? {}, center)), [0.3, 0.2])
    const corner = [center[0] + 1, center[1] + 0.5, center[2]]
    const [x, y] = project(first?.uniforms ?? {}, corner)
    t.ok(x > 0 && y > 0)
    t.same(round(project(near?.uniforms ?? {}, corner)), round([2 * x, 2 * y]))
  }
})

/** An event of a canvas with what its listener reads. */
const createEvent = (type: string, properties: object): Event =>
  Object.assign(new Event(type, { cancelable: true }), properties)

/** What events have done. */
interface Turned {
  readonly pose: string
  /** Whether the browser leaves the last event alone. */
  readonly isTaken: boolean
  /** The pointers whose events come to the canvas from anywhere. */
  readonly captured: readonly number[]
}

/** Dispatches events on a canvas that is 200 px high. */
function turn(...events: readonly Event[]): Turned {
  const canvas = new FakeCanvas(300, 200)
  const pose = new Pose()
  const view = { pose, move: (change: (pose: Pose) => void) => change(pose) }
  addTurnControls(asCanvas(canvas), view as StructureView)
  for (const event of events) canvas.dispatchEvent(event)
  const isTaken = events.at(-1)?.defaultPrevented === true
  return { pose: pose.format(), isTaken, captured: canvas.captured }
}

/** Returns the pose after some steps. */
function take(...steps: readonly ((pose: Pose) => void)[]): string {
  const pose = new Pose()
  for (const step of steps) step(pose)
  return pose.format()
}

const pointer = (type: string, pointerId: number, x: number, y: number, rest: object = {}): Event =>
  createEvent(type, { pointerId, clientX: x, clientY: y, shiftKey: false, buttons: 1, ...rest })

t.test('a pointer turns or moves the structure as far as it goes', async (t) => {
  const down = pointer('pointerdown', 1, 100, 100)
  const drag = (rest: object): Event => pointer('pointermove', 1, 140, 80, rest)
  const turned = take((pose) => pose.turn(0.2 * Math.PI, -0.1 * Math.PI))
  const moved = take((pose) => pose.move(0.2, 0.1))
  t.equal(turn(down, drag({})).pose, turned, 'half a turn is as far as the canvas is high')
  t.equal(turn(down, drag({ shiftKey: true })).pose, moved)
  t.equal(turn(down, drag({ buttons: 2 })).pose, moved, 'the right button')
  t.equal(turn(down, drag({ buttons: 3 })).pose, moved, 'both buttons')
  t.equal(turn(drag({})).pose, '', 'a pointer that is not down')
  t.same(turn(down).captured, [1], 'it may leave the canvas')
  for (const type of ['pointerup', 'pointercancel'])
    t.equal(turn(down, pointer(type, 1, 100, 100), drag({})).pose, '', type)
  const two = [drag({ shiftKey: true }), pointer('pointermove', 1, 160, 80, { shiftKey: true })]
  t.equal(
    turn(down, ...two).pose,
    take((pose) => pose.move(0.3, 0.1)),
    'from its last place',
  )
})

t.test('two fingers enlarge the structure, and move it', async (t) => {
  const fingers = [pointer('pointerdown', 1, 20, 30), pointer('pointerdown', 2, 80, 110)]
  t.equal(
    turn(...fingers, pointer('pointermove', 2, 140, 190)).pose,
    take(
      (pose) => pose.enlarge(2),
      (pose) => pose.move(0.15, -0.2),
    ),
  )
  t.equal(
    turn(...fingers, pointer('pointermove', 1, 50, 70)).pose,
    take(
      (pose) => pose.enlarge(0.5),
      (pose) => pose.move(0.075, -0.1),
    ),
  )
  const together = [pointer('pointerdown', 1, 20, 30), pointer('pointerdown', 2, 20, 30)]
  t.equal(
    turn(...together, pointer('pointermove', 2, 60, 30)).pose,
    take((pose) => pose.move(0.1, 0)),
    'from one place, they only move',
  )
})

t.test('the wheel enlarges by what it turns, in pixels or in lines', async (t) => {
  replace(t, globalThis, 'WheelEvent', { DOM_DELTA_LINE: 1 } as never)
  for (const [deltaY, deltaMode, factor] of [
    [-200, 0, Math.exp(0.3)],
    [100, 0, Math.exp(-0.15)],
    [-4, 1, Math.exp(4 * 33 * 0.0015)],
  ] as const) {
    const { pose, isTaken } = turn(createEvent('wheel', { deltaY, deltaMode }))
    t.same([pose, isTaken], [take((each) => each.enlarge(factor)), true])
  }
  t.equal(turn(createEvent('contextmenu', {})).isTaken, true, 'the right button has no menu')
})

const press = (key: string, rest: object = {}): Event => createEvent('keydown', { key, ...rest })

t.test('keys turn by five degrees and enlarge, and a key of the browser does not', async (t) => {
  const FIVE = Math.PI / 36
  const steps: readonly (readonly [string, (pose: Pose) => void])[] = [
    ['ArrowLeft', (pose) => pose.turn(-FIVE, 0)],
    ['ArrowRight', (pose) => pose.turn(FIVE, 0)],
    ['ArrowUp', (pose) => pose.turn(0, -FIVE)],
    ['ArrowDown', (pose) => pose.turn(0, FIVE)],
    ['+', (pose) => pose.enlarge(1.15)],
    ['=', (pose) => pose.enlarge(1.15)],
    ['-', (pose) => pose.enlarge(1 / 1.15)],
    ['0', (pose) => pose.reset()],
  ]
  const drag = [pointer('pointerdown', 1, 0, 0), pointer('pointermove', 1, 30, 0, { buttons: 2 })]
  for (const [key, step] of steps) {
    const { pose, isTaken } = turn(...drag, press(key))
    t.same([pose, isTaken], [take((each) => each.move(0.15, 0), step), true], key)
  }
  const ignored = ['ctrlKey', 'metaKey', 'altKey'].map((name) => press('+', { [name]: true }))
  for (const event of [...ignored, press('x')]) {
    const { pose, isTaken } = turn(event)
    t.same([pose, isTaken], ['', false])
  }
})
