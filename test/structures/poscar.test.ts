import t from 'tap'

import {
  describeStructure,
  parsePoscar as readPoscar,
  parseStructure,
  toCellVectors,
} from '@materials-mock/structures'
import type { Vector } from '@materials-mock/structures'
import { runToEnd } from '@materials-mock/work'
import { readStandardMaterials } from '../../scripts/make-fixtures.js'

/** The example of the VASP wiki, which has a line of each kind. */
const BORON_NITRIDE = `Cubic BN
3.57
0.0 0.5 0.5
0.5 0.0 0.5
0.5 0.5 0.0
B N
1 1
Direct
0.00 0.00 0.00
0.25 0.25 0.25
`

/** Returns the same file with some lines replaced, by their numbers. */
const withLines = (changes: Record<number, string>): string =>
  BORON_NITRIDE.split('\n')
    .map((line, index) => changes[index + 1] ?? line)
    .join('\n')

const parsePoscar = (text: string) => runToEnd(readPoscar(text))

const computeHash = (text: string): string => describeStructure(parsePoscar(text)).hash

t.test('the example of the VASP wiki becomes a material', async (t) => {
  t.strictSame(parsePoscar(BORON_NITRIDE), {
    name: 'Cubic BN',
    lattice: {
      type: 'TRI',
      a: 2.524371209,
      b: 2.524371209,
      c: 2.524371209,
      alpha: 60,
      beta: 60,
      gamma: 60,
      units: { length: 'angstrom', angle: 'degree' },
    },
    basis: {
      elements: [
        { id: 0, value: 'B' },
        { id: 1, value: 'N' },
      ],
      coordinates: [
        { id: 0, value: [0, 0, 0] },
        { id: 1, value: [0.25, 0.25, 0.25] },
      ],
      units: 'crystal',
      constraints: [],
    },
  })
  const { formula, derivedProperties } = describeStructure(parsePoscar(BORON_NITRIDE))
  t.equal(formula, 'BN')
  t.match(derivedProperties, [{ name: 'volume', value: 11.374823 }], 'a^3 / 4')
})

t.test('variants of the file give the same structure', async (t) => {
  const cartesian = { 8: 'Cartesian', 10: '0.25 0.25 0.25' }
  const cases: [name: string, text: string][] = [
    ['carriage returns', BORON_NITRIDE.replaceAll('\n', '\r\n')],
    ['tabs and indents', BORON_NITRIDE.replaceAll(/^|$/gm, '\t').replaceAll(' ', '\t \t')],
    [
      'numbers in Fortran’s notation',
      withLines({ 2: '+.357D1', 3: '0 5.0e-1 50.E-2', 4: '.5d0 -0. 0.5' }),
    ],
    ['comments', withLines({ 2: '3.57 ! in Å', 6: 'B N # species', 10: '0.25 0.25 0.25 N' })],
    ['words after the scale', withLines({ 2: '3.57 lattice constant' })],
    ['a volume instead of a factor', withLines({ 2: '-11.37482325' })],
    ['three factors', withLines({ 2: '3.57 7.14 1.785', ...UNEQUAL_EDGES })],
    [
      'a factor of 1',
      withLines({ 2: '1', 3: '0 1.785 1.785', 4: '1.785 0 1.785', 5: '1.785 1.785 0' }),
    ],
    ['only the first letter of Direct', withLines({ 8: 'd' })],
    ['VASP 4', withLines({ 1: 'B_h N' }).replace('B N\n', '')],
    [
      'VASP 4 with selective dynamics',
      withLines({ 1: 'B N', 8: 'Selective\nDirect', ...FLAGS }).replace('\nB N\n', '\n'),
    ],
    [
      'VASP 4 with elements behind the coordinates',
      withLines({ 1: 'BN', 9: '0 0 0 B', 10: '.25 .25 .25 N_h' }).replace('B N\n', ''),
    ],
    [
      'VASP 4 with elements behind the flags',
      withLines({ 8: 'Selective\nDirect', 9: '0 0 0 T T F B', 10: '.25 .25 .25 F T F N' }).replace(
        '\nB N\n',
        '\n',
      ),
    ],
    ['names of potentials', withLines({ 6: 'B_h/0a1b2c N' })],
    ['the elements in another order', withLines({ 6: 'N B', 9: '0.25 0.25 0.25', 10: '0 0 0' })],
    ['velocities', `${BORON_NITRIDE}\nCartesian\n0.01 0.01 0.01\n0.0 0.0 0.0\n`],
    ['a periodic image in another cell', withLines({ 10: '1.25 -0.75 0.25' })],
    ['Cartesian', withLines(cartesian)],
    ['Cartesian, with K as the first letter', withLines({ ...cartesian, 8: 'konform' })],
    ['Cartesian with a volume', withLines({ ...cartesian, 2: '-11.37482325' })],
    [
      'Cartesian with three factors',
      withLines({ ...cartesian, 2: '3.57 7.14 1.785', ...UNEQUAL_EDGES, 10: '0.25 0.125 0.5' }),
    ],
    [
      'rotated edges',
      withLines({
        3: '0.7071067811865476 0 0',
        4: '0.35355339 0.61237244 0',
        5: '0.35355339 0.20412415 0.57735027',
      }),
    ],
    ['left-handed edges of equal length', withLines({ 3: '0.5 0.0 0.5', 4: '0.0 0.5 0.5' })],
    ['selective dynamics', withLines({ 8: 'Selective dynamics\nDirect', ...FLAGS })],
  ]
  for (const [name, text] of cases) t.equal(computeHash(text), computeHash(BORON_NITRIDE), name)
})

/** The edges of boron nitride, divided by 1, 2 and 1/2 in x, y and z. */
const UNEQUAL_EDGES = { 3: '0.0 0.25 1.0', 4: '0.5 0.0 1.0', 5: '0.5 0.25 0.0' }

const FLAGS = { 9: '0.00 0.00 0.00 T T F', 10: '0.25 0.25 0.25 .FALSE. .true. f N' }

t.test('selective dynamics become constraints', async (t) => {
  t.strictSame(parsePoscar(withLines({ 8: 'selective\nDirect', ...FLAGS })).basis.constraints, [
    { id: 0, value: [true, true, false] },
    { id: 1, value: [false, true, false] },
  ])
})

t.test('a file without a comment gives no name', async (t) => {
  t.notOk('name' in parsePoscar(withLines({ 1: '  ' })))
})

/** Formats a rotated edge: x, y and z are permuted. */
const formatRotated = ([x, y, z]: Vector): string => [y, z, x].map((n) => n.toFixed(12)).join(' ')

t.test('rotated cells of the standard materials have the same hashes', async (t) => {
  for (const { name, lattice, basis } of readStandardMaterials()) {
    const { cell, atoms } = parseStructure({ lattice, basis })
    const text = [
      name,
      '1.0',
      ...toCellVectors(cell).map(formatRotated),
      atoms.map(({ symbol }) => symbol).join(' '),
      atoms.map(() => 1).join(' '),
      'Direct',
      ...atoms.map(({ coordinate }) => coordinate.join(' ')),
    ].join('\n')
    t.equal(computeHash(text), describeStructure({ lattice, basis }).hash, name)
  }
})

t.test('an invalid file is rejected with the number and the text of the line', async (t) => {
  const cases: [text: string, message: string][] = [
    [
      '',
      'line 2 of the POSCAR file must be a scaling factor, a volume below 0, or three factors above 0, but the file ends before it',
    ],
    [withLines({ 2: '0' }), 'line 2 of the POSCAR file must be a scaling factor'],
    [withLines({ 2: 'a0' }), 'not "a0"'],
    [withLines({ 2: '3.57 3.57' }), 'not "3.57 3.57"'],
    [withLines({ 2: '3.57 3.57 -1' }), 'not "3.57 3.57 -1"'],
    [withLines({ 2: '1e999' }), 'not "1e999"'],
    [
      withLines({ 3: '0.0 0.5' }),
      'line 3 of the POSCAR file must be the three numbers of an edge, not "0.0 0.5"',
    ],
    [withLines({ 4: '0.5 0,0 0.5' }), 'line 4 of the POSCAR file must be the three numbers'],
    [
      withLines({ 5: '0.5 0.5 1.0' }),
      'line 5 of the POSCAR file must be an edge outside the plane of the edges in lines 3 and 4, not "0.5 0.5 1.0"',
    ],
    [withLines({ 5: '0 0 0' }), 'line 5 of the POSCAR file must be an edge outside'],
    [
      withLines({ 6: '1 1' }),
      'line 6 of the POSCAR file must be the elements, unless line 1 has only their symbols, or the coordinates of each atom end with its symbol, as in files of VASP 4, not "1 1"',
    ],
    [
      withLines({ 1: 'B N', 9: '0 0 0 N', 10: '.25 .25 .25 B' }).replace('\nB N\n', '\n'),
      'line 1 of the POSCAR file must be the elements behind the coordinates, N B, not "B N"',
    ],
    [
      withLines({ 6: 'B Nn' }),
      'line 6 of the POSCAR file must be symbols of chemical elements, not "B Nn"',
    ],
    [
      withLines({ 7: '1' }),
      'line 7 of the POSCAR file must be a number of atoms for each of B N, not "1"',
    ],
    [withLines({ 7: '1 0' }), 'not "1 0"'],
    [withLines({ 7: '1 1.5' }), 'not "1 1.5"'],
    [
      withLines({ 8: '0.00 0.00 0.00' }),
      'line 8 of the POSCAR file must be "Direct" or "Cartesian", not "0.00 0.00 0.00"',
    ],
    [
      withLines({ 8: '' }),
      'line 8 of the POSCAR file must be "Selective dynamics", "Direct" or "Cartesian", not ""',
    ],
    [
      withLines({ 8: 'Selective dynamics' }),
      'line 9 of the POSCAR file must be "Direct" or "Cartesian", not "0.00 0.00 0.00"',
    ],
    [
      withLines({ 10: '0.25 x 0.25' }),
      'line 10 of the POSCAR file must be the coordinates of N atom 1 of 1, not "0.25 x 0.25"',
    ],
    [
      withLines({ 10: '0.25 1e300 0.25' }),
      'line 10 of the POSCAR file must be the coordinates of N atom 1 of 1, at most 1000000 cells away, not "0.25 1e300 0.25"',
    ],
    [
      withLines({ 8: 'Cartesian', 9: '0 0 -1.1e7' }),
      'line 9 of the POSCAR file must be the coordinates of B atom 1 of 1, at most 1000000 cells away',
    ],
    [
      withLines({ 4: '0.5 1e300 0.5' }),
      'line 4 of the POSCAR file must be the three numbers of an edge, up to 1e+100, not "0.5 1e300 0.5"',
    ],
    [
      withLines({ 2: '1e300' }),
      'line 3 of the POSCAR file must be an edge whose length, times the scale, is from 0.000001 to 1000000 Å, not "0.0 0.5 0.5"',
    ],
    [withLines({ 2: '1 1 1e-30', 5: '0 0 1' }), 'line 5 of the POSCAR file must be an edge whose'],
    [
      withLines({ 7: '1 9999' }),
      'line 11 of the POSCAR file must be the coordinates of N atom 2 of 9999',
    ],
    [
      withLines({ 8: 'Selective dynamics\nDirect' }),
      'line 10 of the POSCAR file must be three coordinates and three flags, T or F, not "0.00 0.00 0.00"',
    ],
    [
      BORON_NITRIDE.split('\n').slice(0, 9).join('\n'),
      'line 10 of the POSCAR file must be the coordinates of N atom 1 of 1, but the file ends before it',
    ],
  ]
  for (const [text, message] of cases)
    t.throws(() => parsePoscar(text), { code: 'BODY_INVALID', message })
})

t.test('a file of more than 10,000 atoms is rejected before they are parsed', async (t) => {
  for (const count of ['10000', '900719925474099267']) {
    t.throws(() => parsePoscar(withLines({ 7: `1 ${count}` })), {
      code: 'BOUND_EXCEEDED',
      message: /^line 7 of the POSCAR file must have at most 10000 atoms, not /,
    })
  }
})

t.test('a file is parsed in steps, however its atoms are grouped', async (t) => {
  for (const [groups, count] of [
    [1, 5000],
    [5000, 1],
    [50, 99],
  ] as const) {
    const repeat = (word: string): string => `${word} `.repeat(groups)
    const cell = 'many\n1\n100 0 0\n0 100 0\n0 0 100'
    const atoms = '0.5 0.5 0.5\n'.repeat(groups * count)
    const file = `${cell}\n${repeat('Si')}\n${repeat(String(count))}\ndirect\n${atoms}`
    const steps = [...readPoscar(file)]
    t.ok(steps.length >= (groups * count) / 100, `${groups} × ${count}: ${steps.length}`)
  }
})
