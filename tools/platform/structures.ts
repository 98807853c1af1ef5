import { readFileSync } from 'node:fs'

import { ELEMENTS, createRandom } from '@materials-mock/structures'
import type { NamedStructure } from './platform-packages.js'

/** Reads the shipped materials and the materials of the bank. */
export const readShippedStructures = (): NamedStructure[] =>
  ['materials', 'bank-materials'].flatMap((name) =>
    JSON.parse(readFileSync(new URL(`../../fixtures/${name}.json`, import.meta.url), 'utf8')),
  )

/** Creates a structure with one atom of each element, whose formula has all of them in order. */
export function createStructureOfAllElements(): NamedStructure {
  const atoms = [...ELEMENTS.keys()].map((value, id) => ({ id, value }))
  return {
    name: 'all elements',
    lattice: {
      type: 'CUB',
      a: 100,
      b: 100,
      c: 100,
      alpha: 90,
      beta: 90,
      gamma: 90,
      units: { length: 'angstrom', angle: 'degree' },
    },
    basis: {
      elements: atoms,
      coordinates: atoms.map(({ id }) => ({ id, value: [id / 200, 0.5, 0.5] })),
      units: 'crystal',
    },
  }
}

/**
 * Creates random triclinic structures of all elements, with 1 to 8 atoms at least 0.2 Å apart, half of
 * them in Cartesian coordinates, some with labels. The same seed gives the same ones.
 */
export function createRandomStructures(count: number, seed = 13): NamedStructure[] {
  const random = createRandom(seed)
  const between = (min: number, max: number): number => min + (max - min) * random()
  const symbols = [...ELEMENTS.keys()]
  return Array.from({ length: count }, (_, index) => {
    const [a, b, c] = [between(4, 12), between(4, 12), between(4, 12)]
    const isCartesian = index % 2 === 1
    const places = new Set<number>()
    while (places.size < 1 + (index % 8)) places.add(Math.floor(random() * 512))
    // One atom in each of some eighths of the edges, in this cell or the ones beside it.
    const coordinates = [...places].map((place) =>
      [place % 8, Math.floor(place / 8) % 8, Math.floor(place / 64)].map((eighth, axis) => {
        const fraction = (eighth + between(0.3, 0.7)) / 8 + Math.floor(between(-1, 2))
        return isCartesian ? fraction * ([a, b, c][axis] ?? 1) : fraction
      }),
    )
    return {
      name: `random ${index}`,
      lattice: {
        type: 'TRI',
        a,
        b,
        c,
        alpha: between(75, 105),
        beta: between(75, 105),
        gamma: between(75, 105),
        units: { length: 'angstrom', angle: 'degree' },
      },
      basis: {
        elements: coordinates.map((__, id) => ({
          id,
          value: symbols[Math.floor(random() * symbols.length)] ?? 'Si',
        })),
        coordinates: coordinates.map((value, id) => ({ id, value })),
        units: isCartesian ? 'cartesian' : 'crystal',
        labels: coordinates.flatMap((__, id) => (random() < 0.2 ? [{ id, value: id % 3 }] : [])),
      },
    }
  })
}
