import { readFileSync } from 'node:fs'

import t from 'tap'

import {
  chooseTicks,
  findFermiEnergy,
  readJobConvergence,
  readPlot,
} from '../../packages/page/src/jobs/read-plots.js'
import { readArrows, readRuns } from '../../packages/page/src/jobs/read-units.js'
import { formatDuration } from '../../packages/page/src/table/format-value.js'
import { skipReason } from '../helpers/browser.js'
import { BASE } from '../helpers/build.js'
import { findBarriers, servePage, visitAddress } from './open-page.js'

const skip = skipReason()

t.test('ticks are round numbers of the range, each with its digits', async (t) => {
  for (const [from, to, count, labels] of [
    [0, 10, 5, ['0', '2', '4', '6', '8', '10']],
    [-1, 1, 4, ['−1.0', '−0.5', '0.0', '0.5', '1.0']],
    [-226.4397, -226.4393, 4, ['−226.4397', '−226.4396', '−226.4395', '−226.4394', '−226.4393']],
    [3e5, 4e5, 2, ['300000', '350000', '400000']],
    [0, 50, 10, ['0', '5', '10', '15', '20', '25', '30', '35', '40', '45', '50']],
    [0.1, 0.9, 3, ['0.5']],
    [-3, -1, 2, ['−3', '−2', '−1']],
    [0, 0, 2, []],
    [5, 4, 3, []],
  ] as const) {
    t.same(
      chooseTicks(from, to, count).map(({ label }) => label),
      labels,
      `${from} to ${to}`,
    )
  }
  t.equal(chooseTicks(0, 1e-300, 5).length, 6, 'a range as small as there is')
})

t.test('a property with curves is a plot', async (t) => {
  const bands = readPlot(
    {
      name: 'band_structure',
      xAxis: { label: 'kpoints', units: 'crystal' },
      yAxis: { label: 'energy', units: 'eV' },
      xDataArray: [
        [0, 0, 0],
        [0.25, 0, 0.25],
        [0.5, 0, 0.5],
        [0.5, 0.25, 0.5],
        [0.5, 0.5, 0.5],
        [0, 0, 0],
      ],
      yDataSeries: [
        [1, 2, 3, 3, 3, 1],
        [5, 6, 7, null, 7, 5],
      ],
    },
    4,
  )
  t.equal(bands?.title, 'band structure')
  t.same(
    bands?.x.ticks?.map(({ label }) => label),
    ['Γ', 'X', 'L', 'Γ'],
    'the corners of the path',
  )
  const distances = bands?.series[0]?.points.map(([x]) => Number(x.toFixed(4)))
  t.same(distances, [0, 0.3536, 0.7071, 0.9571, 1.2071, 2.0731], 'the length of the path')
  t.equal(bands?.series[1]?.points.length, 5, 'what is no number is left out')
  t.match(bands, { y: { label: 'E − E_F' }, mark: { axis: 'y', at: 0 } })
  t.same(bands?.series[1]?.points[0], [0, 1], 'energies are relative to the Fermi energy')
  t.equal(bands?.note, 'gap 2.00 eV, indirect')

  const states = readPlot(
    {
      name: 'density_of_states',
      xAxis: { label: 'energy', units: 'eV' },
      yAxis: { label: 'density of states', units: 'states/unitcell' },
      xDataArray: [0, 1],
      yDataSeries: [[0, 2], []],
      legend: [{ element: 'Si', electronicState: '3p' }],
    },
    4,
  )
  t.match(states, {
    series: [
      {
        name: 'Si 3p',
        points: [
          [-4, 0],
          [-3, 2],
        ],
      },
    ],
    mark: { axis: 'x', at: 0 },
  })
  t.equal(states?.series.length, 1, 'a curve without points is none')

  const errors = {
    name: 'convergence_electronic',
    units: 'Ry',
    tolerance: 1e-6,
    data: [[0.1, 0, 1e-7]],
  }
  t.match(readPlot(errors), {
    y: { units: 'Ry', isLogarithmic: true },
    series: [
      {
        points: [
          [1, 0.1],
          [3, 1e-7],
        ],
      },
    ],
    mark: { axis: 'y', at: 1e-6 },
  })
  const energies = {
    name: 'convergence_ionic',
    units: 'eV',
    data: [{ energy: -1 }, {}, { energy: -2 }],
  }
  t.match(readPlot(energies), {
    series: [
      {
        points: [
          [1, -1],
          [3, -2],
        ],
      },
    ],
  })
  t.same(readPlot({ ...errors, tolerance: 0 })?.mark, undefined, 'an axis of powers has no 0')
  t.equal(readPlot(errors)?.series[0]?.name, '')
  t.same(
    readPlot({ ...errors, data: [[1], null, [2], [0]] })?.series.map(({ name }) => name),
    ['ionic step 1', 'ionic step 2'],
    'a step without errors is none',
  )
  t.equal(readPlot(errors, 4)?.mark?.at, 1e-6, 'the Fermi energy is no error')

  for (const data of [
    {},
    { name: 'total_energy', value: 1 },
    { name: 'band_structure', xDataArray: 'x', yDataSeries: [[1]] },
    { name: 'band_structure', xDataArray: [1], yDataSeries: [null, 'a', ['1']] },
    { name: 'convergence_electronic', data: {} },
    { name: 'convergence_ionic', data: [null, 1] },
  ])
    t.equal(readPlot(data), undefined, JSON.stringify(data))
})

const GAMMA = [0, 0, 0]

t.test('the corners of a path are named as fractions', async (t) => {
  const path = [
    [1e-9, 0, -1e-9],
    [-0.5, 0.25, 0],
    [0.3333333, 0.6666667, -0.375],
    [0.1, -0.12345, 1],
    [0.1, -0.12345, 1],
    [0.625, 0.75, -0.0001],
    [0.625, 0.75, -0.0001],
  ]
  const data = { name: 'band_structure', xDataArray: path, yDataSeries: [[1, 2, 3, 4, 5, 6, 7]] }
  t.same(
    readPlot(data)?.x.ticks?.map(({ label }) => label),
    ['Γ', '−½ ¼ 0', '⅓ ⅔ −⅜', '0.1 −0.123 1', '⅝ ¾ 0'],
    'each once, also if it is repeated',
  )
  t.equal(readPlot({ ...data, xDataArray: [GAMMA, GAMMA] })?.x.ticks?.length, 1, 'one place')
  const bent = [0, 0.001, 0.1].map((y) => [
    [0, 0, 0],
    [0.1, 0, 0],
    [0.2, y, 0],
  ])
  t.same(
    bent.map((xDataArray) => readPlot({ ...data, xDataArray })?.x.ticks?.length),
    [2, 2, 3],
    'rounding makes no corner',
  )
})

t.test('the Fermi energy of a job is one of its numbers', async (t) => {
  const total = { data: { name: 'total_energy', value: 1 } }
  for (const [results, expected] of [
    [[], undefined],
    [[{}, total], undefined],
    [[total, { data: { name: 'fermi_energy', value: 5 } }], 5],
    [[{ data: { name: 'fermi_energy', value: '5' } }], undefined],
  ] as const)
    t.equal(findFermiEnergy(results), expected)
})

const scope = (N_k: number, RESULT: number) => ({ scope: { global: { RESULT, N_k } } })

t.test('a loop of a job converges', async (t) => {
  const units = [
    { operand: 'N_k', tags: ['hasConvergenceParam'] },
    { operand: 'RESULT', tags: ['hasConvergenceResult'] },
  ]
  t.match(
    readJobConvergence({
      workflow: { subworkflows: [{ units }] },
      scopeTrack: [scope(1, -1), scope(2, -2)],
    }),
    {
      x: { label: 'N_k' },
      y: { label: 'RESULT' },
      series: [
        {
          points: [
            [1, -1],
            [2, -2],
          ],
        },
      ],
    },
  )
  const stored = [...units, { type: 'assignment', operand: 'RESULT', value: 'total_energy' }]
  t.match(
    readJobConvergence(
      { workflow: { subworkflows: [{ units: stored }] }, scopeTrack: [scope(1, -1)] },
      [
        { data: { name: 'pressure', units: 'kbar' } },
        { data: { name: 'total_energy', units: 'eV' } },
      ],
    ),
    { y: { label: 'total_energy', units: 'eV' } },
    'the result is the property that a unit assigns to it',
  )
  const untagged = { scopeTrack: [scope(1, -1), scope(2, -2)], workflow: {} }
  t.match(readJobConvergence(untagged), { x: { label: 'RESULT' }, y: { label: 'N_k' } })
  const tagged = { subworkflows: [{ units: [{ operand: 'N_k', tags: ['hasConvergenceParam'] }] }] }
  t.match(
    readJobConvergence({ ...untagged, workflow: tagged }),
    { x: { label: 'N_k' }, y: { label: 'RESULT' } },
    'the result is what is not the parameter',
  )
  t.equal(readJobConvergence({}), undefined)
  t.equal(readJobConvergence({ scopeTrack: [null, { scope: 1 }] }), undefined)
})

const flowUnit = (id: string, next?: string, branches = {}) => ({
  flowchartId: id,
  ...(next === undefined ? {} : { next }),
  ...branches,
})

/** The names are those of the platform, and no function is among them. */
const when = (then: string, otherwise: string): object =>
  JSON.parse(`{"type": "condition", "then": "${then}", "else": "${otherwise}"}`)

const arrows = (units: Parameters<typeof readArrows>[0]): string[] =>
  readArrows(units).map(
    ({ from, to, isBack, label }) => `${from} ${isBack ? '↑' : '↓'} ${to} ${label}`,
  )

t.test('the arrows of a flowchart are those of its units', async (t) => {
  t.same(arrows([]), [])
  t.same(arrows([flowUnit('a'), flowUnit('b'), flowUnit('c')]), ['0 ↓ 1 ', '1 ↓ 2 '], 'in order')
  t.same(
    arrows([flowUnit('a', undefined, when('b', 'c')), flowUnit('b'), flowUnit('c')]),
    ['0 ↓ 1 then', '0 ↓ 2 else', '1 ↓ 2 '],
    'in order, but for branches',
  )
  t.same(arrows([flowUnit('a', 'b'), flowUnit('b', 'nothing')]), ['0 ↓ 1 '], 'to a unit there is')
  t.same(
    arrows([
      flowUnit('a', 'b'),
      flowUnit('b', 'c', when('d', 'c')),
      flowUnit('c', 'a'),
      flowUnit('d', 'd'),
    ]),
    ['0 ↓ 1 ', '1 ↓ 3 then', '1 ↓ 2 else', '2 ↑ 0 ', '3 ↑ 3 '],
  )
})

const record = (status: string, trackedAt: number) => ({ status, trackedAt })

t.test('the runs of a unit are those of its records', async (t) => {
  t.same(readRuns({}), [])
  t.same(readRuns({ statusTrack: [record('idle', 1)] }), [])
  t.same(
    readRuns({
      statusTrack: [
        record('idle', 1),
        record('active', 2),
        record('finished', 5),
        record('active', 7),
        record('error', 9),
        record('active', 10),
        { status: 'finished' },
      ],
    }),
    [
      { from: 2, to: 5, status: 'finished' },
      { from: 7, to: 9, status: 'error' },
      { from: 10, status: 'active' },
    ],
  )
  for (const [seconds, text] of [
    [0, '0 s'],
    [5.625, '5.63 s'],
    [59.6, '1 min 0 s'],
    [90, '1 min 30 s'],
    [7190, '2 h 0 min'],
    [7500, '2 h 5 min'],
  ] as const)
    t.equal(formatDuration(seconds), text)
})

type Json = Readonly<Record<string, unknown>>

const readShipped = (name: string): Json[] =>
  JSON.parse(readFileSync(new URL(`../../fixtures/${name}.json`, import.meta.url), 'utf8'))

const CREDENTIALS = {
  'content-type': 'application/json',
  'X-Account-Id': 'oEb32zJWy27miFESb',
  'X-Auth-Token': 'demo-preferences-token',
}

t.test('a job is submitted and watched to its results', { skip }, async (t) => {
  const { open } = await servePage(t, { jobDuration: 1500 })
  const { page, errors } = await open('/?resource=jobs&item=WcTtK8e6rPQPWSEm9')
  const pane = page.getByRole('complementary', { name: 'The open item' })
  const unit = pane.getByRole('row', { name: 'pw_scf' })
  await unit.filter({ hasText: 'idle' }).waitFor()
  await pane.getByRole('button', { name: 'Submit' }).click()
  await pane.locator('[aria-current=step]', { hasText: 'submitted' }).waitFor()
  await pane.locator('[aria-current=step]', { hasText: 'active' }).waitFor()
  await unit.filter({ hasText: 'active' }).waitFor()
  await pane.locator('[aria-current=step]', { hasText: 'finished' }).waitFor()
  await unit.filter({ hasText: 'finished' }).getByText('1.5 s').waitFor()
  await pane.getByRole('log').getByText('unit pw_scf finished').waitFor()
  await pane.getByRole('link', { name: 'total_energy' }).waitFor()
  await pane.getByRole('link', { name: 'pw_scf.out' }).waitFor()
  t.same(await findBarriers(page), [])
  t.same(errors, [])
})

t.test('the output of a running unit grows on the page', { skip }, async (t) => {
  const { app, open } = await servePage(t, { jobDuration: 60_000 })
  await app.inject({
    method: 'POST',
    url: `${BASE}/jobs/WcTtK8e6rPQPWSEm9/submit`,
    headers: CREDENTIALS,
  })
  await app.inject({ method: 'POST', url: '/__admin/clock', payload: { advance: 65_000 } })
  const { page, errors } = await open('/?resource=jobs&item=WcTtK8e6rPQPWSEm9')
  const output = page.locator('.item-tables li', { hasText: 'pw_scf.out' })
  const first = await output.textContent()
  await output.filter({ hasNotText: first ?? '' }).waitFor()
  t.match(app.store.getCollection('jobs').findById('WcTtK8e6rPQPWSEm9', () => true)?.item, {
    status: 'active',
  })
  t.same(errors, [])
})

t.test('the timeline of a job follows its units', { skip }, async (t) => {
  const { origin, open } = await servePage(t)
  const { page, errors } = await open('/?resource=jobs&item=NLgx2whEMpagh6Rvp')
  const pane = page.getByRole('complementary', { name: 'The open item' })
  const readUnits = (): Promise<string[]> =>
    pane.locator('.timeline tbody tr').evaluateAll((rows) =>
      rows.map((row) =>
        [...row.querySelectorAll('th, .unit-status, .visually-hidden, .run, .numeric')]
          .map((each) => {
            const { left, width } = each.style
            const percent = [left, width].map((value) => Math.round(Number.parseFloat(value)))
            return left === '' ? each.textContent : `${each.className} ${percent.join('+')}`
          })
          .filter((each) => each !== '')
          .join(', '),
      ),
    )
  const heading = pane.getByRole('heading', { name: 'Units' })
  await pane.locator('.run.active').waitFor()
  t.same(await readUnits(), [
    'pw_scf, finished, after 0 s, run finished 0+83, 30 s',
    'pw_bands, active, after 30 s, run active 83+17',
    'bands, idle',
  ])
  t.equal(await heading.textContent(), 'Units running')
  const steps = pane.locator('.steps li')
  t.same(
    await steps.evaluateAll((all) => all.map((each) => [each.className.trim(), each.textContent])),
    [
      ['reached', 'pre-submission2024-08-04 17:45:06'],
      ['reached', 'submitted'],
      ['reached', 'active2024-08-04 17:48:06'],
      ['', 'finished'],
    ],
  )
  t.equal(await pane.getByRole('button', { name: 'Submit' }).count(), 0, 'it is submitted')
  t.same(
    await pane.locator('.facts tr', { has: page.locator('a') }).allTextContents(),
    ['_material._idTpjPTBupQjav8TqH8', '_project._idsK5ZSkYe9AmhPGXTE'],
    'an _id of another item is a link to it',
  )
  const job = readShipped('jobs').find(({ _id }) => _id === 'NLgx2whEMpagh6Rvp')
  const { workflow } = structuredClone(job) as { workflow: { subworkflows: { units: Json[] }[] } }
  const units = workflow.subworkflows[0]?.units ?? []
  const track = units[1]?.statusTrack as { trackedAt: number }[]
  const at = (track.at(-1)?.trackedAt ?? 0) + 7
  units[1] = {
    ...units[1],
    status: 'error',
    statusTrack: [...track, { status: 'error', trackedAt: at }],
  }
  const answer = await fetch(`${origin}${BASE}/jobs/NLgx2whEMpagh6Rvp`, {
    method: 'PATCH',
    headers: CREDENTIALS,
    body: JSON.stringify({ workflow }),
  })
  t.equal(answer.status, 200)
  await pane.locator('.run.error').waitFor()
  t.same(await readUnits(), [
    'pw_scf, finished, after 0 s, run finished 0+81, 30 s',
    'pw_bands, error, after 30 s, run error 81+19, 7 s',
    'bands, idle',
  ])
  t.equal(await heading.textContent(), 'Units 37 s')
  const wide = await pane.locator('.track').evaluateAll((tracks) =>
    tracks.map((each) =>
      [...each.children].every((run) => {
        const [inner, outer] = [run.getBoundingClientRect(), each.getBoundingClientRect()]
        return inner.left >= outer.left - 1 && inner.right <= outer.right + 4
      }),
    ),
  )
  t.same(wide, [true, true, true], 'each run is on the line')
  t.same(errors, [])
})

/** A property as a job leaves it. */
const property = (id: string, data: Json): Json => ({
  _id: id,
  slug: data.name,
  data,
  source: { info: { jobId: 'TBq2JzfmM5crm88zT', unitId: 'u' } },
})

const PROPERTIES = [
  property('fermi', { name: 'fermi_energy', units: 'eV', value: 2 }),
  property('dos', {
    name: 'density_of_states',
    xAxis: { label: 'energy', units: 'eV' },
    yAxis: { label: 'density of states', units: 'states/unitcell' },
    xDataArray: [0, 1, 2, 3],
    yDataSeries: [
      [1, 1, 1, 1],
      [0, 1, 0, 1],
      [1, 0, 1, 0],
    ],
    legend: [
      {},
      { element: 'Si', electronicState: '3s' },
      { element: 'Si', electronicState: '3p' },
    ],
  }),
  property('errors', {
    name: 'convergence_electronic',
    units: 'Ry',
    tolerance: 1e-6,
    data: [[0.1, 1e-3, 1e-7]],
  }),
  property('forces', {
    name: 'atomic_forces',
    units: 'eV/angstrom',
    values: [{ id: 0, value: [1, 2, 3] }],
  }),
  property('gaps', { name: 'band_gaps', values: [{ type: 'direct', value: 1.5, units: 'eV' }] }),
  property('odd', {
    name: '<b>odd</b>',
    xDataArray: [1, '2'],
    yDataSeries: [[null, Number.MAX_VALUE]],
    value: null,
    values: [[], 'x', null],
  }),
]

/**
 * Reads the plots of a page. A place is its distance from the lower left corner of the grid, as shares of
 * width and height.
 */
const READ_PLOTS = `[...document.querySelectorAll('.plot')].map((plot) => {
  const read = (each, name) => Number(each.getAttribute(name))
  const grid = [...plot.querySelectorAll('.plot-grid line')]
  const across = grid.find((line) => read(line, 'y1') === read(line, 'y2'))
  const upward = grid.find((line) => read(line, 'x1') === read(line, 'x2'))
  const [left, right] = [read(across, 'x1'), read(across, 'x2')]
  const [top, bottom] = [read(upward, 'y1'), read(upward, 'y2')]
  const toShares = (each, x, y) =>
    [(read(each, x) - left) / (right - left), (bottom - read(each, y)) / (bottom - top)]
      .map((share) => share.toFixed(2))
      .join(' ')
  const colorOf = (each) => getComputedStyle(each).color
  const series = [...plot.querySelectorAll('.plot-series')]
  const colors = series.map(colorOf)
  return {
    curves: series.map((curve) =>
      [...curve.querySelectorAll('circle')].map((each) => toShares(each, 'cx', 'cy')),
    ),
    mark: [...plot.querySelectorAll('line.plot-mark')].flatMap((each) => [
      toShares(each, 'x1', 'y1'),
      toShares(each, 'x2', 'y2'),
    ]),
    legend: [...plot.querySelectorAll('li')].map((each) =>
      [each.className || 'curve ' + colors.indexOf(colorOf(each)), each.textContent].join(' '),
    ),
  }
})`

t.test('results are plots with axes, units and a text', { skip }, async (t) => {
  const { open } = await servePage(t, {
    fixtures: {
      accounts: readShipped('accounts'),
      jobs: readShipped('jobs'),
      workflows: readShipped('workflows'),
      projects: readShipped('projects'),
      properties: PROPERTIES,
    },
  })
  const { page, errors } = await open('/?resource=jobs&item=TBq2JzfmM5crm88zT')
  const pane = page.getByRole('complementary', { name: 'The open item' })
  const plot = (name: RegExp) => pane.getByRole('img', { name })
  await plot(
    /^density of states\. 3 curves of density of states \/ states\/unitcell against E − E_F \/ eV: total, Si 3s, Si 3p\. The values are from 0 to 1\. E_F = 2\.000 eV\.$/,
  ).waitFor()
  await plot(/^convergence electronic\. One curve of error \/ Ry.*tolerance/).waitFor()
  await plot(/^convergence\. One curve of RESULT against N_k/).waitFor()
  t.equal(await pane.getByRole('img').count(), 3, 'what has no curves is no plot')
  const results = pane.locator('section', { has: page.getByRole('heading', { name: 'Results' }) })
  t.same(await results.getByRole('row').allTextContents(), [
    'fermi_energy2 eV',
    'atomic_forcesseveral values eV/Å',
    'band_gapsdirect 1.5 eV',
    '<b>odd</b>several values ',
  ])
  t.same(await page.evaluate(READ_PLOTS), [
    {
      curves: [
        ['0.04 0.96', '0.35 0.96', '0.65 0.96', '0.96 0.96'],
        ['0.04 0.04', '0.35 0.96', '0.65 0.04', '0.96 0.96'],
        ['0.04 0.96', '0.35 0.04', '0.65 0.96', '0.96 0.04'],
      ],
      mark: ['0.65 1.00', '0.65 0.00'],
      legend: ['curve 0 total', 'curve 1 Si 3s', 'curve 2 Si 3p', 'plot-mark E_F = 2.000 eV'],
    },
    {
      curves: [['0.04 0.96', '0.50 0.65', '0.96 0.04']],
      mark: ['0.00 0.19', '1.00 0.19'],
      legend: ['plot-mark tolerance 0.000001 Ry'],
    },
    { curves: [['0.04 0.96', '0.50 0.12', '0.96 0.04']], mark: [], legend: [] },
  ])
  const log = pane.getByRole('log')
  const countLines = async (): Promise<number> =>
    ((await log.textContent()) ?? '').split('\n').length
  t.equal(await countLines(), 8, 'the end of the log')
  await pane.getByRole('button', { name: /^All \d\d lines$/ }).click()
  t.ok((await countLines()) > 8)
  for (const width of [390, 1024, 1600]) {
    await page.setViewportSize({ width, height: 900 })
    await plot(/^density/).evaluate('new Promise(requestAnimationFrame)')
    const outside = await pane.evaluate((element) => {
      const { right } = element.getBoundingClientRect()
      return [...element.querySelectorAll('svg, svg text, table, pre')]
        .filter((each) => each.getBoundingClientRect().right > right)
        .map((each) => each.textContent)
    })
    t.same(outside, [], `nothing is cut at ${width} px`)
  }
  t.same(await findBarriers(page), [])

  await pane.getByRole('link', { name: 'density of states' }).click()
  await page.getByRole('heading', { name: 'density_of_states' }).waitFor()
  await plot(/^density.*E_F = 2\.000 eV\.$/).waitFor()
  await visitAddress(page, '/?resource=properties')
  const values = page.getByRole('region', { name: 'Table of properties' }).locator('tbody td')
  for (const text of ['2 eV', 'several values eV/Å', 'direct 1.5 eV'])
    await values.getByText(text, { exact: true }).waitFor()
  await visitAddress(page, '/?resource=properties&item=forces')
  await pane.getByRole('table').filter({ hasText: 'value' }).first().waitFor()
  t.same(await pane.getByLabel('The values').locator('td').allTextContents(), ['0', '1', '2', '3'])
  t.same(await pane.locator('.summary dt').allTextContents(), [
    'Property',
    'Job',
    'Unit of the job',
  ])
  await visitAddress(page, '/?resource=properties&item=odd')
  await page.getByRole('heading', { name: '<b>odd</b>' }).waitFor()
  t.same(await findBarriers(page), [])

  await visitAddress(page, '/?resource=workflows&item=CoQLhMNRXhKCXRh7k')
  await pane.getByText('N_k = N_k + 1').waitFor()
  await pane.getByText('pw_scf.in').click()
  await pane.getByLabel('pw_scf.in', { exact: true }).waitFor()
  await pane.getByRole('link', { name: 'Silicon total energy, converged' }).waitFor()
  t.same(await findBarriers(page), [])
  await visitAddress(page, '/?resource=projects&item=sK5ZSkYe9AmhPGXTE')
  await pane.getByRole('link', { name: 'Silicon band structure that runs' }).waitFor()
  t.same(await findBarriers(page), [])
  t.same(errors, [])
})

const BANDS = [
  [-3, -2.5, -1],
  [3, 4, 5],
]

const ENERGIES = Array.from({ length: 37 }, (_, index) => index / 2 - 9)

const CURVES = [
  property('fermi', { name: 'fermi_energy', units: 'eV', value: 2 }),
  property('bands', {
    name: 'band_structure',
    yAxis: { label: 'energy', units: 'eV' },
    xDataArray: [
      [0, 0, 0],
      [0, 0, 0.5],
      [0.5, 0, 0.5],
    ],
    yDataSeries: BANDS,
  }),
  property('dos', {
    name: 'density_of_states',
    xAxis: { label: 'energy', units: 'eV' },
    yAxis: { label: 'density of states', units: 'states/unitcell' },
    xDataArray: ENERGIES,
    yDataSeries: [ENERGIES.map((energy) => energy ** 2)],
    legend: [{}],
  }),
]

/** Reads the one picture of bands and densities: the ticks of energies, the lines across and the curves, in px. */
const READ_BESIDE = `(() => {
  const svg = document.querySelector('.plot svg')
  const read = (each, name) => Number(each.getAttribute(name))
  return {
    ticks: [...svg.querySelectorAll('.plot-ticks text[text-anchor=end]')].map((each) =>
      [Number(each.textContent.replace('−', '-')), read(each, 'y') - 4]),
    grids: [...svg.querySelectorAll('.plot-grid')].map((grid) =>
      [...grid.querySelectorAll('line')].filter((each) => read(each, 'y1') === read(each, 'y2')).map((each) =>
        ['x1', 'x2', 'y1'].map((name) => read(each, name)))),
    curves: [...svg.querySelectorAll('.plot-series')].map((each) => [
      getComputedStyle(each).color,
      each.querySelector('path').getAttribute('d').split(/[ML]/).slice(1).map((point) => point.split(' ').map(Number)),
    ]),
  }
})()`

interface Beside {
  readonly ticks: readonly [energy: number, y: number][]
  readonly grids: readonly (readonly [left: number, right: number, y: number][])[]
  readonly curves: readonly [color: string, points: readonly [x: number, y: number][]][]
}

t.test('bands and densities stand on one axis of energies', { skip }, async (t) => {
  const { open } = await servePage(t, {
    fixtures: {
      accounts: readShipped('accounts'),
      jobs: readShipped('jobs'),
      properties: CURVES,
    },
  })
  const { page, errors } = await open('/?resource=jobs&item=TBq2JzfmM5crm88zT')
  await page.getByRole('img', { name: /^band structure/ }).waitFor()
  const { ticks, grids, curves } = (await page.evaluate(READ_BESIDE)) as Beside
  const [[low = 0, bottom = 0] = [], [high = 0, top = 0] = []] = [ticks[0], ticks.at(-1)]
  t.ok(high > low)
  const toEnergy = (y: number) => low + ((y - bottom) / (top - bottom)) * (high - low)
  const rows = grids.map((lines) => lines.map(([, , y]) => y))
  t.same(rows, [rows[0], rows[0]], 'both grids have the same rows')
  t.same(
    rows[0],
    ticks.map(([, y]) => y),
  )
  const [left, right] = grids.map(([line]) => line)
  t.ok((left?.[1] ?? NaN) < (right?.[0] ?? NaN), 'they are side by side')

  const energies = curves.map(([, points]) => points.map(([, y]) => toEnergy(y)))
  const inside = ENERGIES.map((energy) => energy - 2).filter((each) => each >= -5 && each <= 3)
  const expected = [...BANDS.map((band) => band.map((energy) => energy - 2)), inside]
  t.same(
    energies.map((curve) => curve.map((energy) => Math.round(energy * 10) / 10)),
    expected,
    'each point is at its energy below the Fermi energy',
  )
  const [first, second, total] = curves.map(([color]) => color)
  t.equal(first, second)
  t.not(first, total, 'a total is no band')
  t.same(errors, [])
})

t.test('a job names its material, project and workflow at its top', { skip }, async (t) => {
  const { open } = await servePage(t)
  const { page, errors } = await open('/?resource=jobs&item=9gyhfncWDhnSyzALv')
  const facts = page.locator('.item-tables > :first-child')
  await facts.getByRole('link').first().waitFor()
  t.same(await facts.locator('dt').allTextContents(), ['Status', 'Material', 'Workflow', 'Project'])
  t.same(await facts.getByRole('link').allTextContents(), [
    'Silicon FCC',
    'Band Structure',
    'Default',
  ])
  await facts.getByRole('link', { name: 'Default' }).click()
  await page.getByRole('region', { name: 'Table of projects' }).waitFor()
  await page.getByText('Silicon band structure', { exact: true }).waitFor()
  t.same(errors, [])
})

const isIn = (at: number, { top, bottom }: { top: number; bottom: number }): boolean =>
  at > top && at < bottom

t.test('a workflow is a flowchart with its loop and its branch', { skip }, async (t) => {
  const { open } = await servePage(t)
  const { page, errors } = await open('/?resource=workflows&item=CoQLhMNRXhKCXRh7k')
  const units = page.locator('.flow-unit')
  await units.nth(7).waitFor()
  const place = async (selector: string, name = '') => {
    const box = await page.locator(selector, { hasText: name }).boundingBox()
    const { x = NaN, y = NaN, width = NaN, height = NaN } = box ?? {}
    return { left: x, top: y, right: x + width, bottom: y + height }
  }
  for (const width of [400, 1280]) {
    await page.setViewportSize({ width, height: 900 })
    const [first, last] = [
      await place('.flow-unit > div', 'pw_scf'),
      await place('.flow-unit > div', 'increment parameter'),
    ]
    const loop = await place('.flow-jump.back')
    t.ok(isIn(loop.top, first) && isIn(loop.bottom, last), `the loop, ${width} px`)
    t.ok(Math.abs(loop.right - first.left) < 2, 'it is on the left')
    const [condition, exit] = [
      await place('.flow-unit > .condition'),
      await place('.flow-unit > div', 'exit'),
    ]
    const branch = await place('.flow-jump:not(.back)')
    t.ok(isIn(branch.top, condition) && isIn(branch.bottom, exit), 'the branch')
    t.ok(Math.abs(branch.left - exit.right) < 2, 'it is on the right')
  }
  t.match(await units.nth(6).textContent(), /↑ pw_scf/, 'as a text, too')
  t.match(await units.nth(4).textContent(), /then → exit.*else ↓/)
  t.same(await findBarriers(page), [])
  t.same(errors, [])
})

t.test('units have room beside any number of loops', { skip }, async (t) => {
  const units = Array.from({ length: 40 }, (_, at) => flowUnit(`u${at}`, at === 0 ? 'u1' : 'u0'))
  const workflows = [{ _id: 'w', name: 'w', subworkflows: [{ units }] }]
  const { open } = await servePage(t, { fixtures: { workflows } })
  const { page } = await open('/?resource=workflows&item=w', { width: 400 })
  await page.locator('.flow-unit').nth(39).waitFor()
  t.equal(await page.locator('.flow-jump').count(), 8, 'the shortest ones are drawn')
  const width = await page
    .locator('.flow-unit')
    .first()
    .evaluate((each) => each.clientWidth)
  t.ok(width > 150, `${width} px`)
})

t.test(
  'a log at another server that does not answer is no failure of this one',
  { skip },
  async (t) => {
    const { open } = await servePage(t, { admin: false })
    const { page } = await open('/?resource=jobs&item=9gyhfncWDhnSyzALv')
    const signedUrl = 'https://bucket.example/job.log?signature=x'
    const json = {
      status: 'success',
      data: [{ key: 'job.log', name: 'job.log', size: 9, signedUrl }],
    }
    await page.route('**/files', (route) => route.fulfill({ json }))
    await page.getByLabel('Username').fill('demo')
    await page.getByLabel('Password').fill('demo')
    await page.keyboard.press('Enter')
    await page.getByText('there is no response to GET https://bucket.example/job.log').waitFor()
    t.equal(await page.getByText('The server does not answer').count(), 0)
  },
)
