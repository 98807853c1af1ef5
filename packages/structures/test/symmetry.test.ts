import { readFileSync } from 'node:fs'

import t from 'tap'

import type { Symmetry } from '@materials-mock/api'
import { runToEnd } from '@materials-mock/work'
import { computeFields } from '../src/computed-fields.js'
import { parseCif } from '../src/cif/cif.js'
import type { CifMaterial } from '../src/cif/cif.js'
import { generateMaterials } from '../src/generate/generate-materials.js'
import { loadMoyo } from '../src/load-moyo.js'
import { parseStructure } from '../src/structure.js'
import type { Structure, StructureInput } from '../src/structure.js'
import { analyzeSymmetry } from '../src/symmetry.js'

/** Returns a structure from a cell, and its atoms: the symbol and the crystal coordinates. */
const createStructure = (
  [a, b, c, alpha, beta, gamma]: readonly number[],
  ...atoms: [symbol: string, x: number, y: number, z: number][]
): Structure =>
  parseStructure({
    lattice: { type: 'TRI', a, b, c, alpha, beta, gamma },
    basis: {
      elements: atoms.map(([value], id) => ({ id, value })),
      coordinates: atoms.map(([, ...value], id) => ({ id, value })),
      units: 'crystal',
    },
  } as StructureInput)

const DIAMOND = createStructure(
  [3.867, 3.867, 3.867, 60, 60, 60],
  ['Si', 0, 0, 0],
  ['Si', 0.25, 0.25, 0.25],
)
const RUTILE = createStructure(
  [4.594, 4.594, 2.959, 90, 90, 90],
  ['Ti', 0, 0, 0],
  ['Ti', 0.5, 0.5, 0.5],
  ['O', 0.305, 0.305, 0],
  ['O', 0.695, 0.695, 0],
  ['O', 0.805, 0.195, 0.5],
  ['O', 0.195, 0.805, 0.5],
)
const MAGNESIUM = createStructure(
  [3.21, 3.21, 5.21, 90, 90, 120],
  ['Mg', 1 / 3, 2 / 3, 0.25],
  ['Mg', 2 / 3, 1 / 3, 0.75],
)

/** A cubic cell with `edge` atoms of one element along each edge, and other elements at the start. */
const createGrid = (edge: number, ...others: string[]): Structure => {
  const indices = Array.from({ length: edge ** 3 }, (_, index) => index)
  const atoms = indices.map((index): [string, number, number, number] => [
    others[index] ?? 'Fe',
    (index % edge) / edge,
    (Math.floor(index / edge) % edge) / edge,
    Math.floor(index / edge ** 2) / edge,
  ])
  return createStructure([...[1, 2, 3].map(() => edge * 2.9), 90, 90, 90], ...atoms)
}

t.before(() => loadMoyo())

t.test(
  'the groups, the sites and the standard cells, as the International Tables have them',
  async (t) => {
    const cases: [Structure, Partial<Symmetry>, conventional: number, primitive: number][] = [
      [
        DIAMOND,
        {
          number: 227,
          spaceGroupSymbol: 'Fd-3m',
          pointGroupSymbol: 'm-3m',
          sites: [
            { wyckoff: 'a', siteSymmetry: '-43m' },
            { wyckoff: 'a', siteSymmetry: '-43m' },
          ],
        },
        8,
        2,
      ],
      [
        RUTILE,
        {
          number: 136,
          spaceGroupSymbol: 'P4_2/mnm',
          pointGroupSymbol: '4/mmm',
          sites: [
            ...[1, 2].map(() => ({ wyckoff: 'a', siteSymmetry: 'm.mm' })),
            ...[1, 2, 3, 4].map(() => ({ wyckoff: 'f', siteSymmetry: 'm.2m' })),
          ],
        },
        6,
        6,
      ],
      [MAGNESIUM, { number: 194, spaceGroupSymbol: 'P6_3/mmc', pointGroupSymbol: '6/mmm' }, 2, 2],
      [
        createStructure([5, 6, 7, 80, 95, 100], ['Si', 0, 0, 0], ['O', 0.2, 0.3, 0.4]),
        { number: 1 },
        2,
        2,
      ],
      [createGrid(2), { number: 221 }, 1, 1],
      [createGrid(4), { number: 221 }, 1, 1],
    ]
    for (const [structure, expected, conventional, primitive] of cases) {
      const found = analyzeSymmetry(structure)
      t.match(found, expected, expected.spaceGroupSymbol ?? String(expected.number))
      t.equal(found?.sites.length, structure.atoms.length)
      t.equal(found?.conventional.basis.elements?.length, conventional)
      t.equal(found?.primitive.basis.elements?.length, primitive)
    }
  },
)

t.test('without a search that is short, there is no symmetry', async (t) => {
  t.equal(analyzeSymmetry(createGrid(6)), undefined, '216 atoms')
  t.equal(analyzeSymmetry(createGrid(5)), undefined, 'a perfect supercell of 125 cells')
  const vacancies = createGrid(5).atoms.slice(0, 120)
  const edge = 5 * 2.9
  const large = { cell: { ...RUTILE.cell, a: edge, b: edge, c: edge }, atoms: vacancies }
  t.equal(analyzeSymmetry(large)?.spaceGroupSymbol, 'P4/mmm', 'a row of atoms is missing')
})

t.test('a search ends, also in a cell that is long and thin', async (t) => {
  const cells = [
    [2, 3.0005, 200, 90, 90, 90],
    [2, 3.0005, 1e6, 90, 90.1234, 90],
    [160.084, 1.384, 1.559, 63.739, 83.975, 109.661],
    [1.251, 1.593, 41.393, 67.284, 94.524, 110.903],
    [2.578, 7.018, 32.834, 106.345, 82.801, 79.711],
    [5, 5, 5, 90, 90, 0.1],
  ]
  for (const cell of cells) {
    const found = analyzeSymmetry(createStructure(cell, ['Fe', 0.5, 0.2, 0.5]))
    t.ok(found?.pointGroupSymbol, cell.join(' '))
    // the same crystal in a cell of eight times the length
    const [a = 0, ...others] = cell
    const atoms = Array.from({ length: 8 }, (_, n): [string, number, number, number] => [
      'Fe',
      n / 8,
      0.2,
      0.5,
    ])
    const long = analyzeSymmetry(createStructure([8 * a, ...others], ...atoms))
    t.equal(long?.number, found?.number, `8 x ${cell.join(' ')}`)
  }
})

t.test('the groups of generated materials are those of their structures', async (t) => {
  for (const material of generateMaterials(200)) {
    const found = analyzeSymmetry(parseStructure(material as StructureInput))
    const { spaceGroupSymbol, pointGroupSymbol } = found ?? {}
    t.match(
      material.derivedProperties?.find(({ name }) => name === 'symmetry'),
      {
        spaceGroupSymbol,
        pointGroupSymbol,
      },
    )
  }
})

t.test('the shipped materials have the groups of their structures', async (t) => {
  for (const name of ['materials', 'bank-materials']) {
    const items = JSON.parse(readFileSync(`fixtures/${name}.json`, 'utf8')) as StructureInput[]
    for (const item of items) {
      const { spaceGroupSymbol, pointGroupSymbol } = analyzeSymmetry(parseStructure(item)) ?? {}
      t.match(item, { derivedProperties: [{}, {}, { spaceGroupSymbol, pointGroupSymbol }] })
    }
  }
})

t.test('a material in a large cell has the other computed fields', async (t) => {
  const { cell, atoms } = createGrid(6)
  const item = computeFields({
    lattice: { type: 'CUB', ...cell },
    basis: {
      elements: atoms.map(({ symbol }, id) => ({ id, value: symbol })),
      coordinates: atoms.map(({ coordinate }, id) => ({ id, value: [...coordinate] })),
      units: 'crystal',
    },
  })
  t.match(item, { formula: 'Fe', derivedProperties: [{ name: 'volume' }, { name: 'density' }] })
  t.notMatch(JSON.stringify(item.derivedProperties), 'symmetry')
})

/** Reads a CIF file with one site in a cell of three equal edges, which names its group. */
const readNamed = (edge: number, angles: string, name: string): CifMaterial['basis'] => {
  const [alpha, beta, gamma] = angles.split(' ')
  const text = `data_x
_cell_length_a ${edge}
_cell_length_b ${edge}
_cell_length_c ${edge}
_cell_angle_alpha ${alpha}
_cell_angle_beta ${beta}
_cell_angle_gamma ${gamma}
${name}
loop_
_atom_site_type_symbol
_atom_site_fract_x
_atom_site_fract_y
_atom_site_fract_z
As .227 .227 .227
`
  return runToEnd(parseCif(text)).basis
}

t.test('all names of a group give the same atoms', async (t) => {
  const tables: [expected: string, ...others: string[]][] = [
    [
      "_space_group_name_Hall '-F 4vw 2vw 3'",
      "_symmetry_space_group_name_H-M 'F d -3 m :2'",
      "_symmetry_space_group_name_H-M 'Fd-3m:2'",
      "_space_group_name_H-M_alt 'F 41/d -3 2/m :2'",
      "_space_group_name_H-M_alt 'F d 3 m Z'",
      "_space_group_name_H-M_alt 'F d -3 m O2'",
    ],
    [
      '_space_group_IT_number 227',
      "_symmetry_space_group_name_H-M 'F d -3 m'",
      "_symmetry_space_group_name_H-M 'F d -3 m S'",
      "_symmetry_space_group_name_Hall 'F 4d 2 3 -1d'",
    ],
    [
      "_space_group_name_Hall '-I 4bd 2c 3'",
      "_symmetry_space_group_name_H-M 'I a 3 d'",
      '_symmetry_Int_Tables_number 230',
    ],
    [
      "_space_group_name_Hall '-C 2ac 2'",
      "_space_group_name_H-M_alt 'C m c e'",
      "_space_group_name_H-M_alt 'C m c a'",
    ],
    [
      "_space_group_name_Hall '-P 2yn'",
      "_space_group_name_H-M_alt 'P 1 21/n 1'",
      "_space_group_name_H-M_alt 'P 21/n'",
    ],
    ["_space_group_name_Hall '-P 3 2='", `_space_group_name_Hall '-P 3 2"'`],
    ["_space_group_name_H-M_alt 'I -4 2 d'", "_space_group_name_H-M_alt 'I -4 2 d S'"],
  ]
  for (const [expected, ...others] of tables) {
    for (const other of others) {
      const read = readNamed(5.431, '90 90 90', other)
      t.strictSame(read, readNamed(5.431, '90 90 90', expected), other)
    }
  }
})

t.test('a group without a setting has the axes that fit the cell', async (t) => {
  for (const name of ["_space_group_name_H-M_alt 'R -3 m'", '_space_group_IT_number 166']) {
    t.equal(readNamed(4.131, '54.2 54.2 54.2', name).elements?.length, 2, `${name}, rhombohedral`)
    t.equal(readNamed(4.131, '90 90 120', name).elements?.length, 36, `${name}, hexagonal`)
  }
})
