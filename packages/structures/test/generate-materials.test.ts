import { readFileSync } from 'node:fs'

import t from 'tap'

import type { Material } from '@materials-mock/api'
import { createRandom } from '../src/deterministic.js'
import { listCells, toCellVectors } from '../src/cell.js'
import { describeStructure } from '../src/computed-fields.js'
import { drawComposition } from '../src/generate/composition.js'
import { generateMaterials } from '../src/generate/generate-materials.js'
import { PROTOTYPES } from '../src/generate/prototypes.js'
import type { Prototype } from '../src/generate/prototypes.js'
import { add, computeLength, scale, subtract } from '../src/vector.js'

const generate = (count: number, seed?: number): Material[] => [
  ...generateMaterials(count, seed === undefined ? {} : { seed }),
]

const countDistinct = (values: readonly unknown[]): number => new Set(values).size

t.test('the number of materials is the count', async (t) => {
  for (const count of [0, 1, 9, 10, 11, 1000]) t.equal(generate(count).length, count)
})

t.test('the same count and seed give the same materials, another seed gives others', async (t) => {
  t.strictSame(generate(50), generate(50, 1))
  const ids = new Set(generate(50).map(({ _id }) => _id))
  t.notOk(generate(50, 2).some(({ _id }) => ids.has(_id)))
})

t.test('ids, names and hashes are unique', async (t) => {
  const materials = generate(5000)
  t.equal(countDistinct(materials.map(({ _id }) => _id)), 5000)
  t.equal(countDistinct(materials.map(({ name }) => name)), 5000)
  t.equal(countDistinct(materials.map(({ hash }) => hash)), 5000)
  t.equal(countDistinct(materials.map(({ createdAt }) => createdAt)), 5000)
  t.ok(materials.every(({ _id }) => /^[2-9A-HJ-NP-TW-Za-km-z]{17}$/.test(_id)))
})

t.test('times are in two years each, and neither rise nor fall', async (t) => {
  const materials = generate(1000)
  const created = materials.map(({ createdAt = '' }) => Date.parse(createdAt))
  const waits = materials.map(
    ({ updatedAt = '' }, index) => Date.parse(updatedAt) - (created[index] ?? NaN),
  )
  const [start, end] = [Date.UTC(2022, 0, 1), Date.UTC(2024, 0, 1)]
  for (const [values, from, to] of [
    [created, start, end],
    [waits, 0, end - start],
  ] as const) {
    const shares = values.map((value) => (value - from) / (to - from))
    t.ok(Math.min(...shares) >= 0 && Math.min(...shares) < 0.01)
    t.ok(Math.max(...shares) < 1 && Math.max(...shares) > 0.99)
    const rises = shares.filter((share, index) => share > (shares[index - 1] ?? 1)).length
    t.ok(rises > 100 && rises < 900, `${rises} of 1000 rise`)
  }
})

t.test('each formula occurs ten times, whatever the count', async (t) => {
  for (const count of [10, 100, 10_000]) {
    const counts = new Map<string, number>()
    for (const { formula = '' } of generateMaterials(count))
      counts.set(formula, (counts.get(formula) ?? 0) + 1)

    t.equal(counts.size, count / 10)
    t.ok([...counts.values()].every((occurrences) => occurrences === 10))
  }
})

t.test('the computed fields are those of the structure', async (t) => {
  for (const material of generate(100)) {
    const { name = '' } = material
    const symmetry = { name: 'symmetry', spaceGroupSymbol: /\((.+?)\) 3D/.exec(name)?.[1] ?? '' }
    t.match(material, describeStructure(material, [symmetry]), name)
  }
})

t.test('all structure types occur, with cells of a realistic size', async (t) => {
  const materials = generate(1000)
  const atoms = new Map(
    materials.map(({ name, unitCellFormula = '' }) => {
      const counts = unitCellFormula.split(' ').map((each) => Number(/\d+$/.exec(each)?.[0] ?? 1))
      return [name?.split(', ')[1], counts.toSorted().join(' ')]
    }),
  )
  t.strictSame(
    [...atoms].toSorted(),
    [
      ['Body-centred cubic', '1'],
      ['Caesium chloride', '1 1'],
      ['Face-centred cubic', '1'],
      ['Half-Heusler', '1 1 1'],
      ['Heusler', '1 1 2'],
      ['Hexagonal close-packed', '2'],
      ['Perovskite', '1 1 3'],
      ['Rocksalt', '1 1'],
      ['Zincblende', '1 1'],
    ],
    'the atoms of each element in a cell',
  )
  const volumes = materials.map(
    ({ basis, derivedProperties }) =>
      Number(derivedProperties?.[0]?.value) / (basis?.elements?.length ?? 0),
  )
  t.ok(Math.min(...volumes) > 9.9 && Math.max(...volumes) < 32, 'in Å^3 per atom')
})

/** The coordination number of each site, as textbooks of crystallography give them. */
const COORDINATION: Readonly<Record<string, readonly number[]>> = {
  'Face-centred cubic': [12],
  'Body-centred cubic': [8],
  'Hexagonal close-packed': [12, 12],
  Rocksalt: [6, 6],
  Zincblende: [4, 4],
  'Caesium chloride': [8, 8],
  Perovskite: [12, 6, 2, 2, 2],
  'Half-Heusler': [4, 4, 8],
  Heusler: [8, 8, 8, 8],
  Diamond: [4, 4],
  Fluorite: [8, 4, 4],
}

/** Counts the nearest neighbours of each site. */
function countNeighbours({ cell, sites }: Prototype): number[] {
  const [a, b, c] = toCellVectors(cell)
  const cells = [...listCells([-2, -2, -2], [2, 2, 2])]
  return sites.map(([, from]) => {
    const distances = sites.flatMap(([, to]) =>
      cells.map((shift) => {
        const [x, y, z] = add(subtract(to, from), shift)
        return computeLength(add(add(scale(a, x), scale(b, y)), scale(c, z)))
      }),
    )
    const nearest = Math.min(...distances.filter((distance) => distance > 1e-4))
    return distances.filter((distance) => Math.abs(distance - nearest) < 1e-4).length
  })
}

t.test('the sites of a structure type have their coordination numbers', async (t) => {
  const all = Object.values(PROTOTYPES).flat()
  t.strictSame(
    Object.fromEntries(all.map((each: Prototype) => [each.name, countNeighbours(each)])),
    COORDINATION,
  )
})

t.test('a formula is repeated if all formulas are used', async (t) => {
  class AllFormulas extends Set<string> {
    override has(): boolean {
      return true
    }
  }
  const { symbols, polymorphs } = drawComposition(createRandom(1), new AllFormulas())
  t.ok(symbols.length > 0 && polymorphs.length > 0)
})

t.test('a generated material has the fields of a shipped one, and about its size', async (t) => {
  const url = new URL('../../../fixtures/materials.json', import.meta.url)
  const [shippedMaterial] = JSON.parse(readFileSync(url, 'utf8'))
  const materials = generate(1000)
  t.strictSame(Object.keys(materials[0] ?? {}), Object.keys(shippedMaterial))
  const size = JSON.stringify(materials).length / materials.length
  t.ok(size > 1200 && size < 2000, `${size} bytes on average`)
})
