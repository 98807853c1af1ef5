import { Matrix4, Vector3 } from 'three'
import t from 'tap'

import { findBounds, findHalfHeight } from '../src/structure/bounds.js'

t.test('a box is in view with some room, whatever the aspect', async (t) => {
  for (const [halfSize, aspect, half] of [
    [[2, 3, 4], 1, 3],
    [[2, 3, 4], 0.5, 4],
    [[6, 3, 4], 1.5, 4],
  ] as const) {
    const bounds = { center: new Vector3(7, 8, 9), halfSize: new Vector3(...halfSize), radius: 10 }
    t.equal(findHalfHeight(bounds, aspect, 0).toFixed(6), (1.06 * half).toFixed(6))
    const inFront = 1.06 * (half + halfSize[2] * 0.2)
    t.equal(findHalfHeight(bounds, aspect, 0.2).toFixed(6), inFront.toFixed(6), 'larger in front')
  }
})

t.test('bounds are around the shown points, and their radius reaches all', async (t) => {
  const orientation = new Matrix4().makeBasis(
    new Vector3(0, 1, 0),
    new Vector3(-1, 0, 0),
    new Vector3(0, 0, 1),
  )
  const shown = [
    [0, 0, 0],
    [2, 6, 4],
  ] as const
  const { radius, center, halfSize } = findBounds([...shown, [1, 3, 12]], orientation)
  t.same(center.toArray(), [1, 3, 6])
  t.same(halfSize.toArray(), [4, 2, 7])
  t.equal(radius.toFixed(6), (Math.sqrt(1 + 9 + 36) + 1).toFixed(6), 'the first point, and a rim')
})
