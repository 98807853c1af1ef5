import { readFileSync } from 'node:fs'

import { Matrix4, PerspectiveCamera, Vector3 } from 'three'
import t from 'tap'

import { readCrystal } from '@materials-mock/structures'
import type { Crystal, DrawableMaterial } from '@materials-mock/structures'
import { findBounds, findHalfHeight } from '../src/structure/bounds.js'
import { chooseOrientation } from '../src/structure/orientation.js'
import { composePicture, createModel, listShown } from '../src/structure/picture.js'

/** The angle of view, in degrees, and the tangent of half of it. */
const ANGLE = 26
const SLOPE = Math.tan((ANGLE * Math.PI) / 360)

/** The width over the height of the picture at 1280 × 800, 1440 × 900 and 390 × 844. */
const ASPECTS = [507 / 352, 576 / 396, 366 / 371]

interface Material extends DrawableMaterial {
  readonly name: string
  readonly lattice: { readonly type: string }
}

const MATERIALS: readonly Material[] = JSON.parse(readFileSync('fixtures/materials.json', 'utf8'))

/** A material of each type of lattice. */
const TYPES = new Map(MATERIALS.map((each) => [each.lattice.type, each]))

t.test('a structure fills four fifths of its picture, and no more than all', async (t) => {
  t.ok(TYPES.size > 5)
  for (const material of TYPES.values()) {
    const model = createModel(readCrystal(material) as Crystal)
    const drawn = model.bondKinds.filter((kind) => kind.isDrawn)
    const shown = listShown(model.crystal.sites, composePicture(model, [1, 1, 1], drawn))
    const orientation = chooseOrientation(model.crystal)
    const bounds = findBounds(shown, orientation, SLOPE)
    for (const aspect of ASPECTS) {
      const camera = new PerspectiveCamera(ANGLE, aspect, 0.1, 1e6)
      const distance = findHalfHeight(bounds, aspect, SLOPE) / SLOPE
      const toViewer = new Vector3().setFromMatrixColumn(orientation, 2)
      camera.position.copy(bounds.center).addScaledVector(toViewer, distance)
      camera.quaternion.setFromRotationMatrix(orientation)
      camera.updateMatrixWorld()
      const places = shown.map(({ position }) => new Vector3(...position).project(camera))
      const [across, upward] = [places.map(({ x }) => x), places.map(({ y }) => y)]
      const widths = [across, upward].map((each) => (Math.max(...each) - Math.min(...each)) / 2)
      const most = Math.max(...[...across, ...upward].map(Math.abs))
      t.ok(Math.max(...widths) > 0.8 && most < 1, `${material.name}: ${widths.join(' × ')}`)
    }
  }
})

t.test('bounds are around the shown points, and their radius reaches all', async (t) => {
  const orientation = new Matrix4().makeBasis(
    new Vector3(0, 1, 0),
    new Vector3(-1, 0, 0),
    new Vector3(0, 0, 1),
  )
  const shown = [
    { position: [0, 0, 0], radius: 1 },
    { position: [2, 6, 4], radius: 1 },
    { position: [1, 3, 12], radius: 1 },
  ] as const
  const { radius, center, balls } = findBounds(shown, orientation, 0)
  t.same(center.toArray(), [1, 3, 6])
  t.same(balls[1]?.place.toArray(), [3, -1, -2], 'to the right, up and to the viewer')
  t.equal(radius.toFixed(6), (Math.sqrt(1 + 9 + 36) + 1).toFixed(6), 'the first ball')
  t.equal(findHalfHeight({ radius, center, balls }, 1, 0), 1.06 * 4)
  t.equal(findHalfHeight({ radius, center, balls }, 0.5, 0), 1.06 * 8, 'a narrow picture')
})
