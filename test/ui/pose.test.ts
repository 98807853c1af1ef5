import fc from 'fast-check'
import t from 'tap'

import { Pose, toMatrix } from '../../src/ui/structure/pose.js'

type Vector = readonly [number, number, number]

const ANGLE = fc.integer({ min: -180, max: 180 }).map((degrees) => (degrees * Math.PI) / 180)

/** Any orientation, also one that a turn by 180° leads to. */
const ORIENTATION = fc.tuple(ANGLE, ANGLE, ANGLE).map(([a, b, c]) => {
  const [sinA, cosA, sinB, cosB] = [Math.sin(a), Math.cos(a), Math.sin(b), Math.cos(b)]
  const [sinC, cosC] = [Math.sin(c), Math.cos(c)]
  return [
    [cosA * cosC - sinA * cosB * sinC, sinA * cosC + cosA * cosB * sinC, sinB * sinC],
    [-cosA * sinC - sinA * cosB * cosC, -sinA * sinC + cosA * cosB * cosC, sinB * cosC],
    [sinA * sinB, -cosA * sinB, cosB],
  ] as const
})

const isNear = (a: readonly number[], b: readonly number[], limit = 1e-9): boolean =>
  a.length === b.length && a.every((each, index) => Math.abs(each - (b[index] ?? NaN)) < limit)

/** Returns where a pose shows a point: to the right, up and to the viewer. */
const show = (pose: Pose, point: Vector): number[] => {
  const matrix = toMatrix(pose.rotation, [0, 0, 0])
  return [0, 1, 2].map((row) =>
    point.reduce((sum, each, column) => sum + each * (matrix[column * 4 + row] ?? 0), 0),
  )
}

t.test('an orientation turns its directions to those of the screen', async () => {
  fc.assert(
    fc.property(ORIENTATION, (orientation) => {
      const pose = new Pose()
      pose.orient(orientation)
      const [right, up, toViewer] = orientation
      return (
        isNear(show(pose, right), [1, 0, 0]) &&
        isNear(show(pose, up), [0, 1, 0]) &&
        isNear(show(pose, toViewer), [0, 0, 1])
      )
    }),
    { numRuns: 300 },
  )
})

t.test('what is in front turns to the right and downward, whatever was turned before', async () => {
  fc.assert(
    fc.property(ORIENTATION, ANGLE, (orientation, angle) => {
      const [sin, cos] = [Math.sin(angle), Math.cos(angle)]
      const [right, up, toViewer] = orientation
      const [sideways, downward] = [new Pose(), new Pose()]
      sideways.orient(orientation)
      sideways.turn(angle, 0)
      downward.orient(orientation)
      downward.turn(0, angle)
      return (
        isNear(show(sideways, toViewer), [sin, 0, cos]) &&
        isNear(show(sideways, up), [0, 1, 0]) &&
        isNear(show(downward, toViewer), [0, -sin, cos]) &&
        isNear(show(downward, right), [1, 0, 0])
      )
    }),
  )
})

t.test('a pose is a text, from which it comes back', async (t) => {
  const pose = new Pose()
  t.equal(pose.format(), '', 'the first pose')
  pose.orient([
    [0, 1, 0],
    [0, 0, 1],
    [1, 0, 0],
  ])
  t.equal(pose.format(), '', 'the first pose of a structure')
  for (const [change, text] of [
    [() => pose.move(0.25, 0), '-0.5,-0.5,-0.5,0.5,1,0.25,0'],
    [() => pose.move(0.5, -0.125), '-0.5,-0.5,-0.5,0.5,1,0.75,-0.125'],
    [() => pose.enlarge(2), '-0.5,-0.5,-0.5,0.5,2,0.75,-0.125'],
    [() => pose.enlarge(100), '-0.5,-0.5,-0.5,0.5,20,0.75,-0.125'],
    [() => pose.enlarge(0.001), '-0.5,-0.5,-0.5,0.5,0.25,0.75,-0.125'],
    [() => pose.reset(), ''],
    [() => pose.enlarge(2), '-0.5,-0.5,-0.5,0.5,2,0,0'],
    [() => pose.reset(), ''],
    [() => pose.turn(Math.PI, 0), '-0.5,0.5,0.5,0.5,1,0,0'],
  ] as const) {
    change()
    t.equal(pose.format(), text)
    const again = new Pose()
    again.parse(text)
    if (text !== '') t.equal(again.format(), text)
  }
})

t.test('a text that is no pose changes nothing', async (t) => {
  const former = '0,0,0,1,2,0.5,0.25'
  for (const [text, after = former] of [
    [''],
    ['0,0,0,1,1,0'],
    ['0,0,0,1,1,0,0,0'],
    ['0,0,0,1,1,0,x'],
    ['0,0,0,1,Infinity,0,0'],
    ['0,0,0,0,1,0,0'],
    ['0,0,0,2,3,0,1', '0,0,0,1,3,0,1'],
    ['0,0.6,0,0,1,0,0', '0,1,0,0,1,0,0'],
    ['0,0,0,1,99,0,0', '0,0,0,1,20,0,0'],
  ] as const) {
    const pose = new Pose()
    pose.parse(former)
    pose.parse(text)
    t.equal(pose.format(), after, text)
  }
})

t.test('a matrix moves after it turns', async (t) => {
  const quarter = [0, 0, Math.SQRT1_2, Math.SQRT1_2] as const
  const matrix = toMatrix(quarter, [5, 6, 7])
  t.ok(isNear(matrix, [0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0, 5, 6, 7, 1]), `${matrix}`)
})
