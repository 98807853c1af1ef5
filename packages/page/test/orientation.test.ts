import { Vector3 } from 'three'
import t from 'tap'

import { isDrawable, readCrystal } from '@materials-mock/structures'
import type { Crystal, DrawableMaterial } from '@materials-mock/structures'
import { chooseOrientation, findAxes } from '../src/structure/orientation.js'
import { createMaterial } from '../../structures/test/structures.js'

type Vector = readonly [number, number, number]

const read = (material: DrawableMaterial): Crystal => {
  const crystal = readCrystal(material)
  if (!isDrawable(crystal)) throw new Error(crystal.reason)
  return crystal
}

const cube = (...at: readonly Vector[]): DrawableMaterial =>
  createMaterial(
    [4, 4, 4],
    at.map((point) => ['Si', ...point] as const),
  )

/** A structure in a cell of 4 × 4 × 20 Å, at some heights in units of the cell. */
const layer = (...heights: readonly number[]): DrawableMaterial =>
  createMaterial(
    [4, 4, 20],
    heights.map((z) => ['C', 0.25, 0.25, z] as const),
  )

const molecule = (...at: readonly Vector[]): DrawableMaterial =>
  createMaterial(
    [10, 10, 10],
    at.map((point) => ['C', ...point] as const),
    { units: 'cartesian', isNonPeriodic: true },
  )

const dot = (a: Vector, b: Vector): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
const cross = (a: Vector, b: Vector): Vector => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
]

/** The directions of the first view: to the right, up, and to the viewer. */
function findDirections(crystal: Crystal): [Vector, Vector, Vector] {
  const directions = [new Vector3(), new Vector3(), new Vector3()] as const
  chooseOrientation(crystal).extractBasis(...directions)
  return [directions[0].toArray(), directions[1].toArray(), directions[2].toArray()]
}

/** Structures, and the axis to the viewer and the upward axis before the turn to the side. */
const CASES: readonly [
  name: string,
  material: DrawableMaterial,
  front: Vector,
  up: Vector,
  yaw: number,
  pitch: number,
][] = [
  ['a crystal has a to the viewer', cube([0, 0, 0]), [1, 0, 0], [0, 0, 1], -28, 14],
  ['a layer is seen from above', layer(0.5, 0.6), [0, 0, 1], [0, 1, 0], -14, -36],
  ['a layer of 5 Å is one', layer(0.5, 0.75), [0, 0, 1], [0, 1, 0], -14, -36],
  ['a slab has its surface upward', layer(0.4, 0.5, 0.66), [1, 0, 0], [0, 0, 1], -28, 14],
  [
    'a layer perpendicular to a is seen along a',
    createMaterial([20, 4, 4], [['C', 0.5, 0, 0]]),
    [1, 0, 0],
    [0, 0, 1],
    -14,
    -36,
  ],
  [
    'a slab perpendicular to a has it upward',
    createMaterial(
      [20, 4, 4],
      [
        ['C', 0.3, 0, 0],
        ['C', 0.6, 0, 0],
      ],
    ),
    [0, 1, 0],
    [1, 0, 0],
    -28,
    14,
  ],
  [
    'a ribbon is seen from its thinnest side',
    createMaterial(
      [20, 20, 4],
      [
        ['C', 0.5, 0.4, 0],
        ['C', 0.55, 0.6, 0],
      ],
    ),
    [1, 0, 0],
    [0, 0, 1],
    -14,
    -36,
  ],
  [
    'a flat molecule is seen from above',
    molecule([0, 0, 0], [3, 0.5, 0], [0, 0.5, 4]),
    [0, 1, 0],
    [1, 0, 0],
    -14,
    -36,
  ],
  ['an atom is seen along z', molecule([1, 2, 3]), [0, 0, 1], [0, 1, 0], -14, -36],
]

t.test('a structure is drawn first as in textbooks', async (t) => {
  for (const [name, material, front, up, yaw, pitch] of CASES) {
    const [right, top, toViewer] = findDirections(read(material))
    const side = cross(up, front)
    const [sinYaw, cosYaw, sinPitch, cosPitch] = [yaw, pitch].flatMap((degrees) => [
      Math.sin((degrees * Math.PI) / 180),
      Math.cos((degrees * Math.PI) / 180),
    ]) as [number, number, number, number]
    const shown = [right, top, toViewer].map((direction) =>
      [side, up, front].map((axis) => dot(direction, axis).toFixed(6)),
    )
    const expected = [
      [cosYaw, 0, sinYaw],
      [sinYaw * sinPitch, cosPitch, -cosYaw * sinPitch],
      [-sinYaw * cosPitch, sinPitch, cosYaw * cosPitch],
    ]
    t.same(
      shown.flat().map(Number),
      expected.flat().map((each) => Number(each.toFixed(6))),
      name,
    )
  }
})

t.test(
  'the directions of a view are perpendicular, also of a left-handed or oblique cell',
  async (t) => {
    const basis = { elements: [{ id: 0, value: 'C' }], coordinates: [{ id: 0, value: [0, 0, 0] }] }
    for (const [a, b, c] of [
      [
        [3, 0, 0],
        [1, 4, 0],
        [1, 1, 5],
      ],
      [
        [0, 4, 0],
        [3, 0, 0],
        [0, 0, 5],
      ],
      [
        [0, 2, 2],
        [2, 0, 2],
        [2, 2, 0],
      ],
    ] as const) {
      const crystal = read({ basis, lattice: { vectors: { a, b, c } } })
      const [right, up, toViewer] = findDirections(crystal)
      for (const [one, other, expected] of [
        [right, right, 1],
        [up, up, 1],
        [right, up, 0],
        [up, toViewer, 0],
        [cross(right, up), toViewer, 1],
      ] as const)
        t.ok(Math.abs(dot(one, other) - expected) < 1e-9)
      t.ok(dot(toViewer, a) > 0, 'a points to the viewer')
      t.ok(dot(up, c) > 0, 'c points upward')
    }
  },
)

t.test('the axes of a molecule are those of space', async (t) => {
  t.same(findAxes(read(cube([0, 0, 0]))).names, ['a', 'b', 'c'])
  t.same(findAxes(read(molecule([0, 0, 0]))), {
    directions: [
      [1, 0, 0],
      [0, 1, 0],
      [0, 0, 1],
    ],
    names: ['x', 'y', 'z'],
  })
})
