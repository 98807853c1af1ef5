import t from 'tap'

import { DEFAULT_SETTINGS, formatSettings, parseSettings } from '../src/structure/settings.js'

t.test('the address holds the settings that differ from the defaults', async (t) => {
  t.same(DEFAULT_SETTINGS, {
    unitCell: 'usual',
    supercell: [1, 1, 1],
    bonds: true,
    labels: false,
    axes: true,
    cell: true,
    parallel: false,
  })
  for (const [change, text] of [
    [{}, ''],
    [{ bonds: false }, '{"bonds":false}'],
    [{ unitCell: 'primitive' as const }, '{"unitCell":"primitive"}'],
    [{ supercell: [1, 2, 5] as const }, '{"supercell":[1,2,5]}'],
    [{ labels: true, parallel: true }, '{"labels":true,"parallel":true}'],
  ] as const) {
    const settings = { ...DEFAULT_SETTINGS, ...change }
    t.equal(formatSettings(settings), text)
    t.same(parseSettings(text), settings)
  }
})

t.test('impossible settings of an address are the defaults', async (t) => {
  for (const text of [
    'x',
    '[]',
    '{"supercell":[1,2]}',
    '{"unitCell":"other"}',
    '{"supercell":[1,2,3,4]}',
    '{"supercell":[0,1,1]}',
    '{"supercell":[1,1,6]}',
    '{"supercell":[1,1,1.5]}',
    '{"supercell":"111"}',
    '{"bonds":1}',
    '{"labels":"yes"}',
    '{"parallel":"fisheye"}',
    '{"other":true}',
  ])
    t.same(parseSettings(text), DEFAULT_SETTINGS, text)
})
