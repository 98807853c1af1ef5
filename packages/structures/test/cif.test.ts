import * as fc from 'fast-check'
import t from 'tap'

import { runToEnd } from '@materials-mock/work'
import type { CellVectors } from '../src/cell.js'
import { expandSites } from '../src/cif/cif-sites.js'
import { parseCif as parseInSteps } from '../src/cif/cif.js'
import { describeStructure } from '../src/computed-fields.js'
import type { StructureInput } from '../src/structure.js'
import type { Vector } from '../src/vector.js'

/** The cell of a cubic crystal, as lines of a file. */
const cubic = (a: string): string =>
  [
    ...['a', 'b', 'c'].map((edge) => `_cell_length_${edge} ${a}`),
    ...['alpha', 'beta', 'gamma'].map((angle) => `_cell_angle_${angle} 90`),
  ].join('\n')

const SITES =
  'loop_\n_atom_site_label\n_atom_site_fract_x\n_atom_site_fract_y\n_atom_site_fract_z\n'

/** The simplest file: caesium chloride in P1. Its cell is in lines 2 to 7, its atoms in 13 and 14. */
const CAESIUM_CHLORIDE = `data_CsCl\n${cubic('4.123')}\n${SITES}Cs1 0 0 0\nCl1 .5 .5 .5\n`

const operations = (...texts: string[]): string =>
  `loop_\n_symmetry_equiv_pos_as_xyz\n${texts.map((text) => `'${text}'`).join('\n')}\n`

/** A list of operations of a magnetic space group, with their time reversals. */
const magnetic = (list: 'operation' | 'centering', other = '-x,-y,-z,-1'): string =>
  `loop_\n_space_group_symop_magn_${list}.id\n_space_group_symop_magn_${list}.xyz\n1 x,y,z,+1\n2 ${other}\n`

const parseCif = (text: string) => runToEnd(parseInSteps(text))

const read = (text: string): StructureInput => parseCif(text) as StructureInput

const coordinatesOf = (text: string): (number[] | undefined)[] =>
  (parseCif(text).basis.coordinates ?? []).map(({ value }) => value)

t.test('a file in P1', async (t) => {
  t.strictSame(parseCif(CAESIUM_CHLORIDE), {
    name: 'CsCl',
    lattice: {
      type: 'TRI',
      a: 4.123,
      b: 4.123,
      c: 4.123,
      alpha: 90,
      beta: 90,
      gamma: 90,
      units: { length: 'angstrom', angle: 'degree' },
    },
    basis: {
      elements: [
        { id: 0, value: 'Cs' },
        { id: 1, value: 'Cl' },
      ],
      coordinates: [
        { id: 0, value: [0, 0, 0] },
        { id: 1, value: [0.5, 0.5, 0.5] },
      ],
      units: 'crystal',
      constraints: [],
    },
  })
})

t.test('the type of a single site says more than its label', async (t) => {
  const text = `data_x\n${cubic('3')}\nloop_\n_atom_site_label\n_atom_site_type_symbol\n${[
    'x',
    'y',
    'z',
  ]
    .map((axis) => `_atom_site_fract_${axis}\n`)
    .join('')}Po1 Si 0 0 0\n`
  t.match(parseCif(text).basis.elements, [{ id: 0, value: 'Si' }])
})

t.test('the syntax of CIF 1.1', async (t) => {
  const { hash } = describeStructure(read(CAESIUM_CHLORIDE))
  const cases: [name: string, text: string][] = [
    ['comments', `# a file\n${CAESIUM_CHLORIDE.replace('4.123', '4.123 # Å')}#end`],
    ['line ends of Windows', CAESIUM_CHLORIDE.replaceAll('\n', '\r\n')],
    ['line ends of old Macs', CAESIUM_CHLORIDE.replaceAll('\n', '\r')],
    [
      'capitals',
      CAESIUM_CHLORIDE.replace('_cell_length_a', '_CELL_Length_A').replace('data_', 'DATA_'),
    ],
    ['a byte order mark', `\uFEFF${CAESIUM_CHLORIDE}`],
    [
      'uncertainties',
      CAESIUM_CHLORIDE.replace('4.123', '4.1230(12)').replace('.5 .5', '5e-1 0.50(3)'),
    ],
    ['quoted values', CAESIUM_CHLORIDE.replace('4.123', "'4.123'").replace('Cl1', '"Cl1"')],
    [
      'tags with a dot',
      CAESIUM_CHLORIDE.replaceAll('atom_site_', 'atom_site.').replaceAll('cell_', 'cell.'),
    ],
    ['a value in the next line', CAESIUM_CHLORIDE.replace('_length_a 4', '_length_a\n\n4')],
    ['all rows in one line', CAESIUM_CHLORIDE.replace('0 0 0\nCl1', '0 0 0 Cl1')],
    ['text fields', `${CAESIUM_CHLORIDE}_a\n;\nloop_ 'x\n data_y ; #\n;\n_b\n;x\n; _c 1`],
    ['quotes within words', `${CAESIUM_CHLORIDE}_a 'a dog's life'\n_b O'Neill _c "d"e" _d a#b`],
    ['unknown loops', `${CAESIUM_CHLORIDE}loop_ _a _b 1 2 3 ?`],
    ['a tag twice that nobody reads', `${CAESIUM_CHLORIDE}_f CsCl\n_F 'Cs Cl'\nloop_ _f 1 2`],
    ['other data blocks', `data_global\n_publ 'x y'\n${CAESIUM_CHLORIDE}data_end`],
  ]
  for (const [name, text] of cases) t.equal(describeStructure(read(text)).hash, hash, name)
})

t.test('the symmetry operations make all atoms of the cell, each once', async (t) => {
  const centred = operations('x,y,z', 'x+1/2,y+1/2,z', 'X + .5, y, 1/2 + z', '+x,1/2+y,z+0.5')
  const inverted = operations('x,y,z', '-x,-y,-z')
  const cases: [name: string, text: string, unitCellFormula: string, coordinates?: number[][]][] = [
    ['rock salt', `${SITES}Na 0 0 0\nCl .5 .5 .5\n${centred}`, 'Na4 Cl4'],
    ['a special position', `${SITES}Na .5 .5 0\n${inverted}`, 'Na', [[0.5, 0.5, 0]]],
    [
      'a general position',
      `${SITES}Na .1 .2 .3\n${inverted}`,
      'Na2',
      [
        [0.1, 0.2, 0.3],
        [0.9, 0.8, 0.7],
      ],
    ],
    [
      'a special position with rounded digits',
      `${SITES}Na .3333 .6667 0\n${operations('x,y,z', '-y,x-y,z', '-x+y,-x,z')}`,
      'Na',
      [[0.3333, 0.6667, 0]],
    ],
    ['at a face of the cell', `${SITES}Na .9999 0 0\n${inverted}`, 'Na', [[0.9999, 0, 0]]],
    ['an atom of the next cell', `${SITES}Na -.25 1.25 2\n`, 'Na', [[0.75, 0.25, 0]]],
    ...['-x-1/2y+1/2y,-1y,-1.0*z', '-x/1,-2/2*y,-.5z-z/2', '-1x,-y,-1/1z'].map(
      (text): [string, string, string] => [
        text,
        `${SITES}Na .1 .2 .3\n${operations('x,y,z', text)}`,
        'Na2',
      ],
    ),
    ['one atom twice', `${SITES}Na .1 .2 .3\nNa .9 .8 .7\n${inverted}`, 'Na2'],
    [
      'the newer tag',
      `${SITES}Na .1 .2 .3\n${inverted.replace('symmetry_equiv_pos_as', 'space_group_symop_operation')}`,
      'Na2',
    ],
    ['a magnetic group', `${SITES}Na .1 .2 .3\n${magnetic('operation')}`, 'Na2'],
    [
      'a magnetic group with centrings and its parent',
      `${SITES}Na .1 .2 .3\n${magnetic('operation')}${magnetic('centering', 'x+1/2,y,z,-1')}${centred}`,
      'Na4',
      [
        [0.1, 0.2, 0.3],
        [0.6, 0.2, 0.3],
        [0.9, 0.8, 0.7],
        [0.4, 0.8, 0.7],
      ],
    ],
    ['missing operations', `${SITES}Na .1 .2 .3\n_symmetry_equiv_pos_as_xyz ?\n`, 'Na'],
    [
      'missing operations of the newer tag',
      `${SITES}Na .1 .2 .3\n_space_group_symop_operation_xyz .\n${inverted}?\n`,
      'Na2',
    ],
  ]
  for (const [name, text, unitCellFormula, coordinates] of cases) {
    const file = `data_x\n${cubic('5')}\n${text}`
    t.equal(describeStructure(read(file)).unitCellFormula, unitCellFormula, name)
    if (coordinates !== undefined) t.strictSame(coordinatesOf(file), coordinates, name)
  }
})

t.test(
  'operations of VESTA turn the atoms of a rectangular cell of a hexagonal lattice',
  async (t) => {
    const cell = ['a 4.05', 'b 7.014806', 'c 6.76'].map((edge) => `_cell_length_${edge}`)
    const angles = ['alpha', 'beta', 'gamma'].map((angle) => `_cell_angle_${angle} 90`)
    const turned = operations(
      ...['x,y,z', '-1/2x-3/2y,1/2x-1/2y,z', '-1/2x+3/2y,-1/2x-1/2y,z'].flatMap((text) => {
        const [x = '', y = '', z = ''] = text.split(',')
        return [text, `${x}+1/2,${y}+1/2,${z}`]
      }),
    )
    const file = ['data_x', ...cell, ...angles, `${SITES}Fe 0 0 0\nI .1 .2 .25`, turned].join('\n')
    t.equal(describeStructure(read(file)).unitCellFormula, 'Fe2 I6')
    const halves = turned
      .replaceAll('1/2x', 'x/2')
      .replaceAll('3/2y', '1.5*y')
      .replaceAll('1/2y', '0.5y')
    t.same(coordinatesOf(file.replace(turned, halves)), coordinatesOf(file))
  },
)

t.test('the elements and the ICSD number', async (t) => {
  const typed = (type: string) =>
    CAESIUM_CHLORIDE.replace('_atom_site_label', '_atom_site_type_symbol').replace('Cs1', type)
  for (const [text, symbol] of [
    [typed('Si4+'), 'Si'],
    [typed('SI'), 'Si'],
    [typed('CO'), 'Co'],
    [typed('O2-'), 'O'],
    [typed('D'), 'H'],
    [typed('T'), 'H'],
    [CAESIUM_CHLORIDE.replace('Cs1', 'OA1'), 'O'],
    [CAESIUM_CHLORIDE.replace('Cs1', 'ZN2'), 'Zn'],
    [CAESIUM_CHLORIDE.replace('Cs1', 'Fe2B'), 'Fe'],
    [CAESIUM_CHLORIDE.replace('Cs1', 'Ob1'), 'O'],
    [CAESIUM_CHLORIDE.replace('Cs1', 'Pda1'), 'Pd'],
    [CAESIUM_CHLORIDE.replace('Cs1', 'Bi1'), 'Bi'],
  ])
    t.equal(parseCif(text ?? '').basis.elements?.[0]?.value, symbol)

  t.equal(parseCif(`${CAESIUM_CHLORIDE}_database_code_ICSD 52236`).icsdId, 52236)
  for (const none of ['?', "''", 'x'])
    t.notOk('icsdId' in parseCif(`${CAESIUM_CHLORIDE}_database_code_ICSD ${none}`), none)
})

t.test('a named space group makes all atoms of the cell', async (t) => {
  const cases: [lines: string, point: string, count: number][] = [
    ["_space_group_name_H-M_alt 'F d -3 m :1'", '0 0 0', 8],
    ["_space_group_name_H-M_alt 'F d -3 m :2'", '.125 .125 .125', 8],
    ["_space_group_name_H-M_alt 'F d -3 m :2'", '0 0 0', 16],
    ["_symmetry_space_group_name_H-M 'F d -3 m Z'", '.125 .125 .125', 8],
    ['_symmetry_space_group_name_H-M F_d_-3_m', '0 0 0', 8],
    ['_symmetry_space_group_name_H-M Fd-3m', '0 0 0', 8],
    ['_symmetry_space_group_name_H-M Fm-3m', '0 0 0', 4],
    ['_space_group_IT_number 225', '0 0 0', 4],
    ['_symmetry_Int_Tables_number 225', '0 0 0', 4],
    ["_space_group_name_Hall '-F 4 2 3'", '0 0 0', 4],
    ["_symmetry_space_group_name_Hall '-f_4_2_3'", '0 0 0', 4],
    ["_space_group_name_H-M_alt 'P 21/n'", '.1 .2 .3', 4],
    ["_space_group_name_H-M_alt 'C m c a'", '.1 .2 .3', 16],
    ["_space_group_name_H-M_alt 'P 1'", '.1 .2 .3', 1],
    ['_space_group_name_H-M_alt ?', '.1 .2 .3', 1],
    ["_space_group_name_H-M_alt 'F m -3 m'\n_space_group_IT_number 225", '0 0 0', 4],
    ['_symmetry_space_group_name_H-M P4/nmmS', '0 0 0', 2],
    ['_symmetry_space_group_name_H-M P4/nmmZ', '0 0 0', 4],
    ['_symmetry_space_group_name_H-M FD-3MS', '0 0 0', 8],
    ['_symmetry_space_group_name_H-M FD-3MZ', '0 0 0', 16],
    ["_symmetry_space_group_name_H-M 'P -3 m'", '.1 .2 .3', 6], // in the mirror of P -3 m 1
    ...['A', 'B', 'C', 'I'].map((letter): [string, string, number] => [
      `_symmetry_space_group_name_H-M '${letter} -1'`,
      '.1 .2 .3',
      4,
    ]),
    ["_symmetry_space_group_name_H-M 'F -1'\n_space_group_name_Hall '-F 1'", '.1 .2 .3', 8],
    ["_symmetry_space_group_name_H-M 'F -1'\n_space_group_IT_number 2", '0 0 0', 4],
    ["_symmetry_space_group_name_H-M 'C 1'\n_space_group_IT_number 1", '.1 .2 .3', 2],
    [
      "_space_group_name_H-M_alt 'F m -3 m'\n_space_group.transform_Pp_abc 'a, b, c; 0,0,0'",
      '0 0 0',
      4,
    ],
  ]
  for (const [lines, point, count] of cases) {
    const text = `#\\#CIF_2.0\ndata_x\n${cubic('5')}\n${lines}\n${SITES}Si ${point}\n`
    t.equal(parseCif(text).basis.elements?.length, count, lines)
  }
})

const HEXAGONAL = `data_x\n${['a 3', 'b 3', 'c 5'].map((edge) => `_cell_length_${edge}\n`).join('')}_cell_angle_alpha 90\n_cell_angle_beta 90\n_cell_angle_gamma 120\n`

const cartesian = (point: string, ...tags: string[]): string =>
  `${HEXAGONAL}${tags.map((tag) => `_atom_sites_Cartn_tran_${tag}\n`).join('')}${SITES.replaceAll('fract', 'Cartn')}Si ${point}\n`

/** The matrix of axes that are turned by 90 degrees around z, row by row. */
const TURNED = ['0', '-2.598', '0', '3', '-1.5', '0', '0', '0', '5.0'].map(
  (value, index) => `matrix_${Math.floor(index / 3) + 1}${(index % 3) + 1} ${value}`,
)

t.test('Cartesian coordinates become crystal coordinates', async (t) => {
  const cases: [text: string, coordinate: Vector][] = [
    [cartesian('0 1.7320508 2.5'), [1 / 3, 2 / 3, 0.5]],
    [cartesian('-1.7320508 0 2.5', ...TURNED), [1 / 3, 2 / 3, 0.5]],
    [
      cartesian('1 1.7320508 2.0', 'vector_1 1', 'vector_2 0', 'vector_3 -0.5'),
      [1 / 3, 2 / 3, 0.5],
    ],
    [cartesian('0 0 0').replace(SITES.replaceAll('fract', 'Cartn'), SITES), [0, 0, 0]],
  ]
  for (const [text, coordinate] of cases) {
    const [found] = coordinatesOf(text)
    coordinate.forEach((value, axis) => t.ok(Math.abs((found?.[axis] ?? NaN) - value) < 1e-3, text))
  }
  const wrong = TURNED.map((tag) => tag.replace('5.0', '4.5'))
  t.throws(() => parseCif(cartesian('0 0 0', ...wrong)), {
    message: 'the CIF file must have a matrix (_atom_sites_cartn_tran_matrix_11 to 33) of its cell',
  })
  t.throws(() => parseCif(cartesian('0 0 0', ...TURNED.slice(0, 4))), {
    message: 'the CIF file has no _atom_sites_cartn_tran_matrix_31, which it must have',
  })
})

t.test('a file that can not be read is refused, with the line', async (t) => {
  const file = (from: string | RegExp, to: string): string => CAESIUM_CHLORIDE.replace(from, to)
  const cases: [message: string, text: string][] = [
    ['the CIF file must have a data block with _cell_length_a', ''],
    ['line 1 of the CIF file must be the start of a data block, not "loop_x"', 'loop_x'],
    ['line 2 of the CIF file must be a string that ends with its quote', "data_x\n_a 'b"],
    ['line 2 of the CIF file must be a text field that ends with a line ";"', 'data_x\n;a\nb'],
    [
      'line 15 of the CIF file must be a tag that the block has once, not "_cell_length_a"',
      `${CAESIUM_CHLORIDE}_CELL_length_a 4.123`,
    ],
    ['line 2 of the CIF file must be a tag with a value, not "_a"', 'data_x\n_a\n_b 1'],
    ['line 2 of the CIF file must be a tag or a loop, not "1"', 'data_x\n1'],
    ['line 2 of the CIF file must be a loop with tags, not "loop_"', 'data_x\nloop_\n1 2'],
    ['line 2 of the CIF file must be a data block, a loop, a tag or a value', 'data_x\nsave_a'],
    ['one with 4 tags and 7 values', file('.5 .5 .5', '.5 .5')],
    ['the CIF file has no _cell_length_b, which it must have', file(/_cell_length_b.*/, '')],
    ['line 3 of the CIF file must be _cell_length_b as a length from', file('_b 4.123', '_b ?')],
    ['line 5 of the CIF file must be _cell_angle_alpha as an angle', file('90', '180')],
    [
      'angles of a possible cell, not 170, 170 and 90',
      file('90', '170').replace('beta 90', 'beta 170'),
    ],
    ['the CIF file has no _atom_site_fract_y, which it must have', file('fract_y', 'x')],
    ['the CIF file has no _atom_site_label, which it must have', file('_site_label', '_x')],
    ['line 13 of the CIF file must be an atom site with coordinates up to', file('0 0 0', '0 ? 0')],
    ['with coordinates up to 1000000, not "1e300"', file('0 0 0', '0 1e300 0')],
    ['line 13 of the CIF file must be an atom site with a chemical element', file('Cs1', 'Xx1')],
    ['line 13 of the CIF file must be an atom site with a chemical element', file('Cs1', 'CA1')],
    [
      'line 15 of the CIF file must be an atom site with the occupancy 1, because a material has whole atoms, not "0.5"',
      file('fract_z', 'fract_z\n_atom_site_occupancy')
        .replace('0 0 0', '0 0 0 1.0')
        .replace('.5 .5 .5', '.5 .5 .5 0.5'),
    ],
    [
      'with one value for each of its 2 atom sites, not 1',
      `${CAESIUM_CHLORIDE}_atom_site_occupancy 1`,
    ],
    [
      'the CIF file must have a known space group, not "F m -3 n m"',
      `${CAESIUM_CHLORIDE}_symmetry_space_group_name_H-M 'F m -3 n m'`,
    ],
    [
      'must have a known space group, not "231"',
      `${CAESIUM_CHLORIDE}_symmetry_Int_Tables_number 231`,
    ],
    [
      'one space group, not the different ones "F m -3 m", "227"',
      `${CAESIUM_CHLORIDE}_symmetry_space_group_name_H-M 'F m -3 m'\n_space_group_IT_number 227`,
    ],
    [
      'one space group, not the different ones "C -1", "1"',
      `${CAESIUM_CHLORIDE}_symmetry_space_group_name_H-M 'C -1'\n_space_group_IT_number 1`,
    ],
    [
      'line 16 of the CIF file must be the transformation a,b,c;0,0,0, or come with symmetry operations (_space_group_symop_operation_xyz), not "a-b,a+b,c;0,0,0"',
      `${CAESIUM_CHLORIDE}_space_group_IT_number 225\n_space_group_transform_Pp_abc a-b,a+b,c;0,0,0`,
    ],
    ...[
      ['Ci.1', '_space_group_name_Schoenflies'],
      ['Ci.1', '_space_group.name_Schoenflies'],
      ["P 4/m' b' m'", '_space_group_magn.name_BNS'],
      ['127.395', '_space_group.magn_number_BNS'],
      ['Pnma(0b0)s0s', '_space_group_ssg_name_IUCr'],
    ].map(([name, tag]): [string, string] => [
      `the CIF file has the space group "${name}", but lists no symmetry operations`,
      `${CAESIUM_CHLORIDE}${tag} "${name}"`,
    ]),
    [
      'line 18 of the CIF file must be a symmetry operation like x,y+1/2,-z, not "x,y"',
      CAESIUM_CHLORIDE + operations('x,y,z', 'x,y'),
    ],
    ['must be a symmetry operation', CAESIUM_CHLORIDE + operations('x,y,z', 'x,x,z')],
    ['must be a symmetry operation', CAESIUM_CHLORIDE + operations('x,y,z', 'x,y,z+1/0')],
    ...['2x,y,z', 'x*,y,z', '1*,y,z', '*x,y,z', 'x/0,y,z', 'xy,y,z', '1/2/2x,y,z'].map(
      (text): [string, string] => [
        'must be a symmetry operation',
        CAESIUM_CHLORIDE + operations('x,y,z', text),
      ],
    ),
    ['must be a symmetry operation', CAESIUM_CHLORIDE + magnetic('operation', '-x,-y,-z,2')],
    ['must be a symmetry operation', CAESIUM_CHLORIDE + magnetic('centering', '-x,-y,1')],
    ['must have the symmetry operation x,y,z', CAESIUM_CHLORIDE + operations('-x,y,z')],
    [
      'line 14 of the CIF file must be Cl at a place where Cs of line 13 is not',
      file('.5 .5 .5', '0 0 .01'),
    ],
    [
      'the CIF file must have one structure, not the structures of "CsCl, b"',
      `${CAESIUM_CHLORIDE}${CAESIUM_CHLORIDE.replace('CsCl', 'b')}`,
    ],
  ]
  for (const [message, text] of cases) {
    try {
      parseCif(text)
      t.fail(`is refused: ${message}`)
    } catch (error) {
      const found = (error as Error).message
      t.ok(found.includes(message), `${found} has ${message}`)
    }
  }
})

/** Silicon atoms along the edge a. */
const createRows = (count: number): string =>
  Array.from({ length: count }, (_, n) => `Si ${n / count} 0 0\n`).join('')

/** A file with a large cell. */
const createFile = (...parts: string[]): string => `data_x\n${cubic('9000')}\n${parts.join('')}`

t.test('the work is bounded', async (t) => {
  const images = operations(...Array.from({ length: 192 }, (_, n) => `x+${n}/192,y,z`))
  t.equal(parseCif(createFile(SITES, createRows(10_000))).basis.elements?.length, 10_000)
  const closeRows = Array.from({ length: 5000 }, (_, n) => `Si ${n * 3e-7} 0 0\n`).join('')
  const cases: [message: string, text: string][] = [
    ['at most 100000 words', createFile('_a 1\n'.repeat(51_000))],
    [
      'at most 192 symmetry operations, not 193',
      createFile(SITES, createRows(1), images, "'x,y,z'"),
    ],
    ['at most 20000 images of atom sites', createFile(SITES, createRows(105), images)],
    ['must have at most 10000 atoms', createFile(SITES, createRows(10_001))],
    [
      'fewer images of atom sites so close together',
      `data_x\n${cubic('1000000').replace('gamma 90', 'gamma 0.003')}\n${SITES}${closeRows}`,
    ],
    ['images of atom sites so close', createFile(SITES, 'Si 0 0 0\n'.repeat(10_000))],
    ['images of atom sites so close', `data_x\n${cubic('1e-6')}\n${SITES}Si 0 0 0\n`],
  ]
  for (const [message, text] of cases)
    t.throws(() => parseCif(text), { code: 'BOUND_EXCEEDED', message: new RegExp(message) })
})

t.test('close atoms of the largest cell are compared with few others', async (t) => {
  let reads = 0
  const measured: Vector = new Proxy([1e6, 0, 0] as const, {
    get: (target, key) => {
      reads += 1
      return Reflect.get(target, key) as unknown
    },
  })
  const edges: CellVectors = [measured, [0, 1e6, 0], [0, 0, 1e6]]
  const sites = Array.from({ length: 2000 }, (_, n) => ({
    symbol: 'Si',
    point: [n, n >> 5, n >> 10].map((each) => (each & 31) * 1.1e-7) as never,
    line: n,
  }))
  const identity = { rotation: edges.map((edge) => edge.map(Math.sign)), translation: [0, 0, 0] }
  reads = 0
  t.equal(runToEnd(expandSites(sites, [identity as never], edges)).length, 2000)
  t.ok(reads < 100 * sites.length, `${reads} coordinates of an edge were read`)
})

const length = fc.double({ min: 3, max: 20, noNaN: true })
const angle = fc.double({ min: 75, max: 105, noNaN: true })
/** Coordinates that are far from each other, and not near a limit of rounding. */
const site = fc.record({
  symbol: fc.constantFrom('Si', 'O', 'Fe', 'Cl'),
  point: fc.tuple(
    ...[1, 2, 3].map(() => fc.integer({ min: -8, max: 15 }).map((n) => n / 8 + 0.0301)),
  ),
})

t.test('a structure that is written to a file and read again is the same', async () => {
  const structures = fc.record({
    cell: fc.record({ a: length, b: length, c: length, alpha: angle, beta: angle, gamma: angle }),
    sites: fc.uniqueArray(site, {
      minLength: 1,
      maxLength: 12,
      selector: ({ point }) => point.map((value) => (((value % 1) + 1) % 1).toFixed(3)).join(),
    }),
  })
  fc.assert(
    fc.property(structures, ({ cell, sites }) => {
      const rows = sites.map(({ symbol, point }, n) => `${symbol}${n} ${point.join(' ')}`)
      const text = [
        'data_x',
        ...['a', 'b', 'c'].map((edge) => `_cell_length_${edge} ${cell[edge as 'a']}`),
        ...['alpha', 'beta', 'gamma'].map((each) => `_cell_angle_${each} ${cell[each as 'alpha']}`),
        SITES + rows.join('\n'),
      ].join('\n')
      const structure = {
        lattice: cell,
        basis: {
          elements: sites.map(({ symbol }, id) => ({ id, value: symbol })),
          coordinates: sites.map(({ point }, id) => ({ id, value: point })),
        },
      }
      return describeStructure(read(text)).hash === describeStructure(structure).hash
    }),
  )
})
