import t from 'tap'

import { makeRelaxedMaterial } from '../../../src/domain/results/relaxed-material.js'
import type { StructureModel } from '../../../src/domain/results/structure-model.js'

const CUBE = { a: 4, b: 4, c: 4, alpha: 90, beta: 90, gamma: 90 }

const MATERIAL = {
  name: 'Polonium',
  basis: {
    units: 'crystal',
    elements: [{ id: 0, value: 'Po' }],
    coordinates: [{ id: 0, value: [0, 0, 0] }],
  },
  lattice: { ...CUBE, type: 'CUB', units: { length: 'angstrom', angle: 'degree' } },
}

t.test('a relaxation shortens long bonds and lengthens short ones, by at most 8 %', async (t) => {
  for (const [stretch, a] of [
    [1.05, 4 / 1.05],
    [0.96, 4 / 0.96],
    [1.5, 4 * 0.92],
    [0.5, 4 * 1.08],
    [1, 4],
  ] as const) {
    const model = { cell: CUBE, stretch } as StructureModel
    const { lattice } = makeRelaxedMaterial(MATERIAL, model, { _id: 'm1' })
    const found = (lattice as { a: number }).a
    t.ok(Math.abs(found - a) < 1e-5, `${stretch}: ${found}, not ${a}`)
  }
})
