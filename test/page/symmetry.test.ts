import t from 'tap'

import { skipReason } from '../helpers/browser.js'
import { servePage } from './open-page.js'

const GALLIUM_ARSENIDE = 'Pa3uKvg2Kqc7GzsTN'

t.test(
  'a material has its symmetry, and is drawn in any of its cells',
  { skip: skipReason() },
  async (t) => {
    const { open } = await servePage(t)
    const { page } = await open(`/?item=${GALLIUM_ARSENIDE}`)
    const summary = page.getByLabel('The material in short')
    await summary.getByText('216').waitFor()
    t.match(await summary.innerText(), /Space group\s+F-43m\s+216\s+Point group\s+-43m/)
    const basis = page.getByRole('table').filter({ hasText: 'Wyckoff' })
    await basis.getByText('-43m').first().waitFor()
    t.match((await basis.innerText()).split('\n').at(-1), /0\.75000\s+0\.75000\s+[a-d]\s+-43m$/)
    const choice = page.getByLabel('Drawn cell')
    const status = page.getByRole('status').filter({ hasText: 'atoms' })
    const lattice = page.getByRole('table').filter({ hasText: 'Length' })
    for (const [cell, atoms, length] of [
      ['conventional', 8, '5.7502'],
      ['primitive', 2, '4.0660'],
      ['given', 2, '4.0660'],
    ] as const) {
      await choice.selectOption(cell)
      await lattice.getByText(length).first().waitFor()
      await basis
        .getByRole('rowheader')
        .nth(atoms - 1)
        .waitFor()
      t.equal(await basis.getByRole('rowheader').count(), atoms, cell)
      t.ok((await status.innerText()).length > 0)
      const { searchParams } = new URL(page.url())
      t.equal(
        searchParams.get('structure'),
        JSON.stringify({ unitCell: cell }),
        'the address keeps the choice',
      )
    }
  },
)

t.test(
  'a structure that is too large for a search is drawn as given',
  { skip: skipReason() },
  async (t) => {
    const ids = Array.from({ length: 216 }, (_, id) => id)
    const material = {
      _id: 'large',
      formula: 'Fe',
      lattice: { a: 18, b: 18, c: 18, alpha: 90, beta: 90, gamma: 90 },
      basis: {
        elements: ids.map((id) => ({ id, value: 'Fe' })),
        coordinates: ids.map((id) => ({
          id,
          value: [id % 6, Math.floor(id / 6) % 6, Math.floor(id / 36)].map((n) => n / 6),
        })),
      },
    }
    const { open } = await servePage(t, { fixtures: { materials: [material] } })
    const unitCell = JSON.stringify({ unitCell: 'conventional' })
    const { page } = await open(`/?item=large&structure=${encodeURIComponent(unitCell)}`)
    await page.locator('.viewer-canvas').waitFor()
    t.ok(await page.getByLabel('Drawn cell').isDisabled())
    t.match(await page.locator('.viewer-status').innerText(), /^\d+ atoms/)
  },
)
