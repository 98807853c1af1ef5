import fc from 'fast-check'
import t from 'tap'

import { aimCamera, findBounds, findHalfHeight } from '../../src/ui/structure/gl/view-camera.js'

type Point = readonly [number, number, number]

/** Half of the angle of a perspective view, in degrees. */
const HALF_ANGLE = 13

const size = (min: number, max: number) =>
  fc.integer({ min: min * 1000, max: max * 1000 }).map((thousandths) => thousandths / 1000)

const FRAME = fc.record({
  halfHeight: size(1, 100),
  aspect: size(0.3, 3),
  radius: size(1, 200),
})

/** Returns where a camera shows a point: 1 is the right, the top and the far end of the view. */
function project({ distance, projection }: ReturnType<typeof aimCamera>, [x, y, z]: Point): Point {
  const point = [x, y, z - distance, 1]
  const [right = 0, up = 0, depth = 0, w = 1] = [0, 1, 2, 3].map((row) =>
    point.reduce((sum, each, column) => sum + each * (projection[column * 4 + row] ?? 0), 0),
  )
  return [right / w, up / w, depth / w]
}

const isNear = (a: readonly number[], b: readonly number[]): boolean =>
  a.every((each, index) => Math.abs(each - (b[index] ?? NaN)) < 1e-6)

t.test('both projections show the same of the plane through the origin', async () => {
  fc.assert(
    fc.property(FRAME, size(-1, 1), size(-1, 1), (frame, x, y) =>
      (['perspective', 'parallel'] as const).every((projection) => {
        const { aspect, halfHeight } = frame
        const camera = aimCamera({ ...frame, projection })
        const point = [x * halfHeight * aspect, y * halfHeight, 0] as const
        return isNear(project(camera, point).slice(0, 2), [x, y])
      }),
    ),
  )
})

t.test('the depth changes the size in perspective alone', async () => {
  fc.assert(
    fc.property(FRAME, size(-0.9, 0.9), (frame, share) => {
      const { aspect, halfHeight, radius } = frame
      const away = halfHeight / Math.tan((HALF_ANGLE * Math.PI) / 180)
      const z = share * Math.min(radius, away)
      const corner = [halfHeight * aspect, halfHeight, z] as const
      const [parallel, perspective] = (['parallel', 'perspective'] as const).map((projection) =>
        project(aimCamera({ ...frame, projection }), corner),
      ) as [Point, Point]
      const larger = away / (away - z)
      return (
        isNear(parallel.slice(0, 2), [1, 1]) && isNear(perspective.slice(0, 2), [larger, larger])
      )
    }),
  )
})

t.test('what is within the radius is between the near and the far end', async () => {
  fc.assert(
    fc.property(FRAME, size(-1, 1), size(-1, 1), (frame, one, other) =>
      (['perspective', 'parallel'] as const).every((projection) => {
        const camera = aimCamera({ ...frame, projection })
        const [back, front] = [Math.min(one, other), Math.max(one, other)].map(
          (share) => share * frame.radius,
        ) as [number, number]
        if (projection === 'perspective' && front > 0.98 * camera.distance) return true // behind it
        const [far, near] = [back, front].map((z) => project(camera, [0, 0, z])[2]) as [
          number,
          number,
        ]
        return near >= -1 - 1e-9 && far <= 1 + 1e-9 && near <= far
      }),
    ),
  )
})

t.test('a box is in view with some room, whatever the aspect', async (t) => {
  for (const [box, aspect, half] of [
    [[2, 3, 4], 1, 3],
    [[2, 3, 4], 0.5, 4],
    [[6, 3, 4], 1.5, 4],
  ] as const) {
    t.equal(findHalfHeight([...box], aspect, 'parallel').toFixed(6), (1.06 * half).toFixed(6))
    const front = box[2] * Math.tan((HALF_ANGLE * Math.PI) / 180)
    const expected = 1.06 * (half + front)
    t.equal(findHalfHeight([...box], aspect, 'perspective').toFixed(6), expected.toFixed(6))
  }
})

t.test('bounds are around the shown points, and their radius reaches all', async (t) => {
  const orientation = [
    [0, 1, 0],
    [-1, 0, 0],
    [0, 0, 1],
  ] as const
  const shown = [
    [0, 0, 0],
    [2, 6, 4],
  ] as const
  t.same(findBounds([...shown], [[1, 3, 12]], orientation as never), {
    center: [1, 3, 2],
    halfSize: [4, 2, 3],
    radius: 11,
  })
})
