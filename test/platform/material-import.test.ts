import t from 'tap'

import type { JsonObject } from '@materials-mock/json'
import { build, send } from '../helpers/build.js'

const FIXTURES = {
  accounts: [
    { _id: 'ann', username: 'ann', password: 'x', tokens: ['ann-token'] },
    { _id: 'bob', username: 'bob', password: 'y' },
  ],
  materials: [{ _id: 'm' }],
}
const HEADERS = {
  'x-account-id': 'ann',
  'x-auth-token': 'ann-token',
  'content-type': 'application/json',
}

const FCC = '0 .5 .5\n.5 0 .5\n.5 .5 0'
const DIRECT = `rock salt\n5.64\n${FCC}\nNa Cl\n1 1\nDirect\n0 0 0\n.5 .5 .5\n`
const CARTESIAN = `\n5.64\n${FCC}\nNa Cl\n1 1\nCartesian\n0 0 0\n.5 .5 .5\n`
const VOLUME = `\n-44.851536\n${FCC}\nNa Cl\n1 1\nDirect\n0 0 0\n.5 .5 .5\n`
const SELECTIVE = `\r
1.0\r
5 0 0\r
0 5 0\r
0 0 5\r
Na Cl\r
1 1\r
Selective dynamics\r
Direct\r
0 0 0 T T F\r
.5 .5 .5 F F F\r
`

t.test('POSCAR files of several kinds are imported', async (t) => {
  const app = await build(t, { fixtures: FIXTURES })
  const cases: [body: JsonObject, expected: object][] = [
    [
      { name: 'salt', content: DIRECT, format: 'poscar', tags: ['t'] },
      { name: 'salt', tags: ['t'] },
    ],
    [{ content: DIRECT }, { name: 'rock salt', tags: [], owner: { _id: 'ann' } }],
    [
      { name: null, content: DIRECT, 'owner._id': null },
      { name: 'rock salt', owner: { _id: 'ann' } },
    ],
    [
      { name: 'c', content: CARTESIAN, 'owner._id': 'team' },
      { name: 'c', owner: { _id: 'team' } },
    ],
    [{ name: 'v', content: VOLUME, 'owner._id': 'ann' }, { lattice: { a: 3.988 } }],
    [{ name: 's', content: SELECTIVE }, { lattice: { a: 5, alpha: 90 } }],
  ]
  for (const [body, expected] of cases) {
    const response = await send(app, '/materials/import', {
      method: 'POST',
      headers: HEADERS,
      payload: JSON.stringify(body),
    })
    const { data } = response.json()
    data.lattice.a = Math.round(data.lattice.a * 1000) / 1000
    t.equal(response.statusCode, 200, data.message)
    t.match(data, { formula: 'NaCl', unitCellFormula: 'Na Cl', hash: /^[0-9a-f]{32}$/ })
    t.match(data, { basis: { coordinates: [{ value: [0, 0, 0] }, { value: [0.5, 0.5, 0.5] }] } })
    t.match(data, expected)
    const found = (await send(app, `/materials/${data._id}`, { headers: HEADERS })).json().data
    t.equal(found.hash, data.hash)
  }
  const [, , , , , last] = app.store.collections.get('materials')?.entries.slice(1) ?? []
  t.match(last?.item.basis, {
    constraints: [
      { id: 0, value: [true, true, false] },
      { id: 1, value: [false, false, false] },
    ],
  })
})

const CIF = `data_salt
_cell_length_a 5.64
_cell_length_b 5.64
_cell_length_c 5.64
_cell_angle_alpha 90
_cell_angle_beta 90
_cell_angle_gamma 90
_symmetry_space_group_name_H-M 'F m -3 m'
loop_
_symmetry_equiv_pos_as_xyz
x,y,z
x+1/2,y+1/2,z
x+1/2,y,z+1/2
x,y+1/2,z+1/2
loop_
_atom_site_label
_atom_site_fract_x
_atom_site_fract_y
_atom_site_fract_z
Na1 0 0 0
Cl1 .5 .5 .5
`

t.test('a CIF file is imported, with its symmetry', async (t) => {
  const app = await build(t, { fixtures: FIXTURES })
  for (const [name, expected] of [
    ['halite', 'halite'],
    [null, 'salt'],
  ]) {
    const response = await send(app, '/materials/import', {
      method: 'POST',
      headers: HEADERS,
      payload: JSON.stringify({
        name,
        content: CIF,
        format: 'cif',
        tags: ['t'],
        'owner._id': 'ann',
      }),
    })
    const { data } = response.json()
    t.equal(response.statusCode, 200, data.message)
    t.match(data, {
      name: expected,
      formula: 'NaCl',
      unitCellFormula: 'Na4 Cl4',
      tags: ['t'],
      owner: { _id: 'ann' },
      lattice: { a: 5.64, type: 'TRI' },
      derivedProperties: [
        {},
        {},
        {
          name: 'symmetry',
          spaceGroupSymbol: 'Fm-3m',
          tolerance: { value: 0.3, units: 'angstrom' },
        },
      ],
    })
    const found = (await send(app, `/materials/${data._id}`, { headers: HEADERS })).json().data
    t.same(found, data)
  }
})

t.test('without a format, the content tells it, and an error says which was read', async (t) => {
  const app = await build(t, { fixtures: FIXTURES })
  const post = async (body: JsonObject): Promise<{ message?: string; data: JsonObject }> =>
    (
      await send(app, '/materials/import', {
        method: 'POST',
        headers: HEADERS,
        payload: JSON.stringify(body),
      })
    ).json()
  for (const start of ['', '\n', '\uFEFF', '#\\#CIF_2.0\r\n # by x # y\r\n\r\n', '# a\r#\r  ']) {
    t.match(
      (await post({ content: start + CIF.trimStart() })).data,
      { formula: 'NaCl', name: 'salt' },
      start,
    )
  }
  t.match((await post({ content: `# data_x${DIRECT}` })).data, {
    formula: 'NaCl',
    name: '# data_xrock salt',
  })
  for (const [body, message] of [
    [
      { content: 'DATA_x\n1' },
      /^line 2 of the CIF .*; it was read as a CIF, for another send "format": "poscar"$/,
    ],
    [
      { content: 'x' },
      /^line 2 of the POSCAR .*; it was read as a POSCAR, for another send "format": "cif"$/,
    ],
    [{ content: CIF, format: 'poscar' }, /^line 2 of the POSCAR file must be [^;]*$/],
    [{ content: DIRECT, format: 'cif' }, /^line 1 of the CIF file must be [^;]*$/],
  ] as const)
    t.match((await post(body)).message, message)
  const typed = await post({ content: `data_rock ${DIRECT}`, format: 'poscar' })
  t.match(typed.data, { name: 'data_rock rock salt' })
})

t.test(
  'a wrong import has a message that names the field or line, and stores nothing',
  async (t) => {
    const app = await build(t, { fixtures: FIXTURES })
    const cases: [body: unknown, status: number, message: string][] = [
      [{ content: DIRECT, format: 'xyz' }, 400, 'format must be "poscar" or "cif", not "xyz"'],
      [
        { content: 'data_x\n_cell_length_a', format: 'cif' },
        400,
        'line 2 of the CIF file must be a tag with a value, not "_cell_length_a"',
      ],
      [{ name: 'x' }, 400, 'content is missing'],
      [{ content: '' }, 400, 'content must be a string that is not empty'],
      [
        { content: DIRECT, nmae: 'x' },
        400,
        '"nmae" is not known here, which has name, content, format',
      ],
      [{ content: DIRECT, tags: 't' }, 400, 'tags must be an array, not "t"'],
      [{ content: DIRECT, 'owner._id': 'bob' }, 403, 'not the other account "bob"'],
      [
        { content: DIRECT.replace('Na Cl', 'Na Xx') },
        400,
        'line 6 of the POSCAR file must be symbols',
      ],
      [
        { content: DIRECT.replace('Na Cl\n', '') },
        400,
        'line 6 of the POSCAR file must be the elements',
      ],
      [{ content: DIRECT.replace('.5 .5 .5\n', '') }, 400, 'line 10 of the POSCAR file must be'],
      [{ content: 'x' }, 400, 'line 2 of the POSCAR file must be'],
      [[], 400, 'the body must be an object with content, not []'],
    ]
    for (const [body, status, message] of cases) {
      const response = await send(app, '/materials/import', {
        method: 'POST',
        headers: HEADERS,
        payload: JSON.stringify(body),
      })
      t.equal(response.statusCode, status, JSON.stringify(body))
      t.match(response.json().message, message)
      t.equal(app.store.collections.get('materials')?.size, 1)
    }
  },
)
