import { readFileSync } from 'node:fs'

import t from 'tap'

import type { JsonObject } from '@materials-mock/json'
import { MAX_LENGTH, MIN_LENGTH } from '../../src/structure.js'
import { makePressure, makeTotalEnergy } from '../../src/results/energetics.js'
import { makeRelaxedMaterial } from '../../src/results/relaxed-material.js'
import { MAX_STRETCH, createStructureModel } from '../../src/results/structure-model.js'
import type { StructureModel } from '../../src/results/structure-model.js'

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

t.test('a relaxation shortens long bonds and lengthens short ones', async (t) => {
  for (const [stretch, a] of [
    [1.05, 4 / 1.05],
    [0.96, 4 / 0.96],
    [1.6, 2.5],
    [0.5, 8],
    [1, 4],
    [MAX_STRETCH, 4],
  ] as const) {
    const model = { cell: CUBE, stretch } as StructureModel
    const { lattice } = makeRelaxedMaterial(MATERIAL, model, { _id: 'm1' })
    const found = (lattice as { a: number }).a
    t.ok(Math.abs(found - a) < 1e-5, `${stretch}: ${found}, not ${a}`)
  }
})

t.test('atoms with Cartesian coordinates move with the cell, others stay', async (t) => {
  const model = { cell: CUBE, stretch: 1.05 } as StructureModel
  for (const [units, expected] of [
    ['crystal', 2.1],
    ['cartesian', 2],
  ] as const) {
    const basis = {
      ...MATERIAL.basis,
      units,
      cell: [1, 2, 3],
      coordinates: [{ id: 0, value: [2.1, 0, -2.1] }],
    }
    const lattice = { ...MATERIAL.lattice, vectors: { a: [4, 0, 0] } }
    const relaxed = makeRelaxedMaterial({ ...MATERIAL, basis, lattice }, model, { _id: 'm1' })
    t.match(relaxed, { _id: 'm1', name: 'Polonium (relaxed)' })
    const found = relaxed.basis as { coordinates: { id: number; value: number[] }[] }
    t.same(found.coordinates, [{ id: 0, value: [expected, 0, -expected] }])
  }
})

t.test('a cell keeps its size if one of its edges would be impossible', async (t) => {
  for (const [edge, stretch, a] of [
    [MIN_LENGTH * 1.05, 1.08, 4],
    [MIN_LENGTH * 1.05, 1.01, 4 / 1.01],
    [MAX_LENGTH * 0.97, 0.95, 4],
    [MAX_LENGTH * 0.97, 0.99, 4 / 0.99],
  ] as const) {
    const model = { cell: { ...CUBE, c: edge }, stretch } as StructureModel
    const lattice = { ...MATERIAL.lattice, c: edge }
    const relaxed = makeRelaxedMaterial({ ...MATERIAL, lattice }, model, { _id: 'm1' })
    const found = (relaxed.lattice as { a: number }).a
    t.ok(Math.abs(found - a) < 1e-5, `${found}, not ${a}`)
  }
})

t.test('each shipped material relaxes once, to the least energy and no pressure', async (t) => {
  const url = new URL('../../../../fixtures/bank-materials.json', import.meta.url)
  const shipped = JSON.parse(readFileSync(url, 'utf8')) as JsonObject[]
  const isolated: JsonObject = {
    ...MATERIAL,
    lattice: { ...MATERIAL.lattice, a: 20, b: 20, c: 20 },
  }
  for (const material of [...shipped, isolated].filter((each) => each.isEntitySet !== true)) {
    const model = createStructureModel(material)
    if (model === undefined) throw new Error(`${String(material.name)} has no structure`)
    const relaxed = makeRelaxedMaterial(material, model, {})
    const found = createStructureModel(relaxed)
    if (found === undefined) throw new Error(`${String(relaxed.name)} has no structure`)
    const again = createStructureModel(makeRelaxedMaterial(relaxed, found, {}))
    const change = found.cell.a / model.cell.a
    t.ok(Math.abs(change - 1) < 0.2, `${String(material.name)}: ${change}`)
    t.ok(Math.abs(makePressure(found)) < 0.01, `${makePressure(found)} kbar`)
    t.ok(makeTotalEnergy(found) <= makeTotalEnergy(model))
    t.ok(Math.abs((again?.cell.a ?? 0) - found.cell.a) < 1e-4, 'a second relaxation')
  }
})
