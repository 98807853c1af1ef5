import type { StructureView } from './structure-view.js'

/** The turn by one press of an arrow key, in radians: five degrees. */
const KEY_TURN = Math.PI / 36

/** The turn by a movement over the whole height of the canvas, in radians. */
const DRAG_TURN = Math.PI

const KEYS: Readonly<Record<string, (view: StructureView) => void>> = {
  ArrowLeft: (view) => view.turn(-KEY_TURN, 0),
  ArrowRight: (view) => view.turn(KEY_TURN, 0),
  ArrowUp: (view) => view.turn(0, -KEY_TURN),
  ArrowDown: (view) => view.turn(0, KEY_TURN),
  '+': (view) => view.zoom(1.15),
  '=': (view) => view.zoom(1.15),
  '-': (view) => view.zoom(1 / 1.15),
  '0': (view) => view.reset(),
}

/**
 * Lets mouse, touch and keys turn a view: dragging turns, with Shift or the right button it moves, two
 * fingers move and enlarge, the wheel enlarges. The listeners go with the canvas.
 */
export function addTurnControls(canvas: HTMLCanvasElement, view: StructureView): void {
  const pointers = new Map<number, PointerEvent>()
  canvas.addEventListener('keydown', (event) => {
    const act = event.ctrlKey || event.metaKey || event.altKey ? undefined : KEYS[event.key]
    if (act === undefined) return
    event.preventDefault()
    act(view)
  })
  canvas.addEventListener('pointerdown', (event) => {
    canvas.setPointerCapture(event.pointerId)
    pointers.set(event.pointerId, event)
  })
  canvas.addEventListener('pointermove', (event) => {
    const last = pointers.get(event.pointerId)
    if (last === undefined) return
    const other = [...pointers.values()].find((each) => each !== last)
    if (other === undefined) dragView(canvas, view, last, event)
    else pinchView(canvas, view, other, last, event)
    pointers.set(event.pointerId, event)
  })
  for (const type of ['pointerup', 'pointercancel'] as const)
    canvas.addEventListener(type, (event) => pointers.delete(event.pointerId))
  canvas.addEventListener('contextmenu', (event) => event.preventDefault())
  canvas.addEventListener(
    'wheel',
    (event) => {
      event.preventDefault()
      view.zoom(Math.exp(-normalizeWheel(event) * 0.0015))
    },
    { passive: false },
  )
}

function dragView(
  canvas: HTMLCanvasElement,
  view: StructureView,
  from: PointerEvent,
  to: PointerEvent,
): void {
  const right = (to.clientX - from.clientX) / canvas.clientHeight
  const down = (to.clientY - from.clientY) / canvas.clientHeight
  if (to.shiftKey || (to.buttons & 2) !== 0) view.move(right, -down)
  else view.turn(right * DRAG_TURN, down * DRAG_TURN)
}

/** Follows one of two fingers. Their distance sets the zoom, and each finger moves the view by half. */
function pinchView(
  canvas: HTMLCanvasElement,
  view: StructureView,
  other: PointerEvent,
  from: PointerEvent,
  to: PointerEvent,
): void {
  const before = findDistance(other, from)
  if (before > 0) view.zoom(findDistance(other, to) / before)
  const half = 2 * canvas.clientHeight
  view.move((to.clientX - from.clientX) / half, -(to.clientY - from.clientY) / half)
}

const findDistance = (a: PointerEvent, b: PointerEvent): number =>
  Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY)

/** Returns the turn of a wheel in pixels; Firefox counts it in lines. */
const normalizeWheel = ({ deltaY, deltaMode }: WheelEvent): number =>
  deltaMode === WheelEvent.DOM_DELTA_LINE ? deltaY * 33 : deltaY
