import t from 'tap'

import { createNumbers } from '../../src/deterministic.js'
import { PLOTS } from '../../src/results/plots.js'

t.test('a bell curve covers its range, and peaks near the middle', async (t) => {
  const cases: [name: string, x: string, from: number, to: number][] = [
    ['phonon_dos', 'cm-1', 0, 600],
    ['reaction_energy_profile', 'angstrom', 0, 5],
    ['potential_profile', 'angstrom', 0, 20],
    ['average_potential_profile', 'angstrom', 0, 20],
    ['charge_density_profile', 'angstrom', 0, 20],
  ]
  for (const [name, units, from, to] of cases) {
    const numbers = createNumbers(name)
    const plot = PLOTS.get(name)?.({
      model: undefined,
      path: [],
      unitNumbers: numbers,
      numbers,
    })
    const { xAxis, xDataArray, yDataSeries } = plot as {
      xAxis: { units: string }
      xDataArray: number[]
      yDataSeries: [number[]]
    }
    t.same(
      [xAxis.units, xDataArray[0], xDataArray.at(-1), xDataArray.length],
      [units, from, to, 51],
      name,
    )
    const [ys] = yDataSeries
    const top = xDataArray[ys.indexOf(Math.max(...ys))] ?? 0
    t.ok(Math.abs(top - (from + to) / 2) <= (to - from) / 10, `${name} peaks at ${top}`)
  }
})
