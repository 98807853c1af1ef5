import t from 'tap'

import { createBall, createRod } from '../../src/ui/structure/gl/shapes.js'
import type { Shape } from '../../src/ui/structure/gl/shapes.js'

type Point = readonly [number, number, number]

/** Returns the triangles of a shape, without its normals. */
function listTriangles({ corners, count }: Shape): Point[][] {
  const points = Array.from({ length: count }, (_, index) => {
    const [x = 0, y = 0, z = 0] = corners.subarray(index * 6)
    return [x, y, z] as const
  })
  return Array.from({ length: count / 3 }, (_, index) => points.slice(index * 3, index * 3 + 3))
}

/** Lists the edges of triangles, each from its start to its end. */
const listEdges = (triangles: readonly Point[][]): string[] =>
  triangles.flatMap((triangle) => {
    const names = triangle.map((point) => point.map((each) => Math.round(each * 1e5) + 0).join())
    return names.map((name, index) => `${name} ${names[(index + 1) % 3]}`)
  })

/** Returns the volume that triangles enclose. It is positive if their fronts are outside. */
const computeVolume = (triangles: readonly Point[][]): number =>
  triangles.reduce((sum, [a = [0, 0, 0], b = [0, 0, 0], c = [0, 0, 0]]) => {
    const cross = [b[1] * c[2] - b[2] * c[1], b[2] * c[0] - b[0] * c[2], b[0] * c[1] - b[1] * c[0]]
    return sum + a.reduce((dot, each, axis) => dot + each * (cross[axis] ?? 0), 0) / 6
  }, 0)

const BALL = (4 / 3) * Math.PI
const computePrism = (sides: number): number => (sides / 2) * Math.sin((2 * Math.PI) / sides)

const CASES: Readonly<Record<string, [shape: Shape, count: number, volume: number]>> = {
  'a ball among few': [createBall(150), 2880, BALL],
  'a ball among hundreds': [createBall(151), 980, BALL],
  'a ball among thousands': [createBall(801), 320, BALL],
  'a ball among ten thousand': [createBall(4001), 80, BALL],
  'a rod': [createRod(1), 56, computePrism(14)],
  'a rod among thousands': [createRod(4001), 24, computePrism(6)],
}

for (const [name, [shape, count, volume]] of Object.entries(CASES)) {
  t.test(`the surface of ${name} is closed, with its front outside`, async (t) => {
    const triangles = listTriangles(shape)
    t.equal(triangles.length, count)
    const edges = listEdges(triangles)
    t.equal(new Set(edges).size, edges.length, 'no edge is twice in one direction')
    const reversed = edges.map((edge) => edge.split(' ').toReversed().join(' '))
    t.same(new Set(reversed), new Set(edges), 'each edge has two triangles')
    const share = computeVolume(triangles) / volume
    t.ok(share > 0.85 && share < 1.000001, `its volume is ${share} of the whole`)
  })
}

t.test('the triangles of a ball are of similar sizes', async (t) => {
  for (const [name, [shape]] of Object.entries(CASES).filter(([each]) =>
    each.startsWith('a ball'),
  )) {
    const lengths = listTriangles(shape).flatMap((triangle) =>
      triangle.map(([x, y, z], index) => {
        const [nextX = 0, nextY = 0, nextZ = 0] = triangle[(index + 1) % 3] ?? []
        return Math.hypot(x - nextX, y - nextY, z - nextZ)
      }),
    )
    const ratio = Math.max(...lengths) / Math.min(...lengths)
    t.ok(ratio < 1.5, `${name}: the longest edge is ${ratio} times the shortest`)
  }
})
