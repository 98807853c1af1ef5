import t from 'tap'

import { ELEMENTS, findAtomicRadius, findCovalentRadius } from '../src/elements.js'

// A number that is changed by mistake changes a total.
t.test('the columns of the table of elements have their totals', async (t) => {
  const elements = [...ELEMENTS.values()]
  const withRadius = elements.slice(0, 96)
  const cases: [column: string, values: readonly number[], total: string][] = [
    ['mass', elements.map(({ mass }) => mass), '13066.6278'],
    ['electronegativity', elements.map((each) => each.electronegativity), '157.5600'],
    ['radius', withRadius.map(({ symbol }) => findCovalentRadius(symbol)), '145.9100'],
    ['atomic radius', elements.map(({ symbol }) => findAtomicRadius(symbol)), '156.2500'],
  ]
  t.equal(elements.length, 103)
  for (const [column, values, total] of cases)
    t.equal(values.reduce((sum, value) => sum + value).toFixed(4), total, column)
})

t.test('every element has a radius, and an unknown symbol that of hydrogen', async (t) => {
  for (const [symbol, radius] of [
    ['H', 0.31],
    ['Cm', 1.69],
    ['Bk', 1.69],
    ['Lr', 1.69],
    ['X', 0.31],
  ] as const)
    t.equal(findCovalentRadius(symbol), radius, symbol)
  t.equal(findAtomicRadius('X'), findAtomicRadius('H'))
})
