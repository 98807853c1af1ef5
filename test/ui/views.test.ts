import { readFileSync } from 'node:fs'

import type { Locator } from 'playwright-core'
import t from 'tap'

import { skipReason } from '../browser.js'
import { BASE } from '../build.js'
import { findBarriers, servePage, visitAddress } from './open-page.js'

const skip = skipReason()

const readShipped = (name: string): { readonly _id: string; readonly formula?: string }[] =>
  JSON.parse(readFileSync(new URL(`../../fixtures/${name}.json`, import.meta.url), 'utf8'))

/** Few of the shipped items, so that axe-core has few elements to look at. */
const FIXTURES = {
  accounts: readShipped('accounts'),
  materials: readShipped('materials').filter(({ formula }) =>
    /^(Si|Al2O3|GaAs)$/.test(formula ?? ''),
  ),
  jobs: readShipped('jobs'),
  properties: readShipped('properties'),
}
const [SAPPHIRE = ''] = FIXTURES.materials
  .filter(({ formula }) => formula === 'Al2O3')
  .map(({ _id }) => _id)
const CREDENTIALS = {
  'X-Account-Id': 'oEb32zJWy27miFESb',
  'X-Auth-Token': 'demo-preferences-token',
}

const json = (value: unknown): string => encodeURIComponent(JSON.stringify(value))

t.test(
  'axe-core finds nothing in any view, in light and dark, and each fits its width',
  { skip },
  async (t) => {
    const { app, origin, open } = await servePage(t, { fixtures: FIXTURES })
    const { page, errors } = await open()
    const pane = page.locator('.item-pane')
    const request = (path: string): Promise<unknown> =>
      fetch(origin + BASE + path, { headers: CREDENTIALS })
    const expectGood = async (name: string): Promise<void> => {
      for (const [colorScheme, width] of [
        ['light', 1280],
        ['dark', 360],
      ] as const) {
        await page.emulateMedia({ colorScheme })
        await page.setViewportSize({ width, height: 800 })
        t.same(await findBarriers(page), [], `${name}, ${colorScheme}`)
      }
      for (const width of [360, 2560]) {
        await page.setViewportSize({ width, height: 800 })
        const overflow = Number(
          await page.evaluate('document.documentElement.scrollWidth - innerWidth'),
        )
        t.ok(overflow <= 0, `${name} is ${overflow} px wider than ${width} px`)
      }
    }
    const views: [name: string, address: string, ready: Locator | (() => Promise<unknown>)][] = [
      ['the table', '/', page.locator('tbody tr').first()],
      [
        'a structure',
        `/?item=${SAPPHIRE}&structure=${json({ labels: true })}`,
        page.getByText('10 atoms, 24 bonds'),
      ],
      [
        'JSON',
        `/?item=${SAPPHIRE}&tab=JSON`,
        () => pane.getByRole('button', { name: /^lattice/ }).click(),
      ],
      [
        'the JSON dialog',
        `/?item=${SAPPHIRE}`,
        async () => {
          await pane.getByRole('button', { name: 'Edit' }).click()
          await page.getByLabel('JSON of the item').fill('{')
          await page.getByRole('button', { name: 'Save' }).click()
          await page.getByRole('dialog').getByRole('alert').waitFor()
        },
      ],
      [
        'a wrong query',
        `/?panel=query&query=${json({ formula: { $gtx: 1 } })}`,
        page.locator('mark'),
      ],
      [
        'completions',
        '/?panel=query&code=Python',
        async () => {
          await page.getByLabel('query', { exact: true }).fill('{"lattice.t')
          await page.getByRole('option', { name: 'lattice.type' }).waitFor()
        },
      ],
      ['no match', '/?search=nothing', page.getByText('No item matches')],
      ['a wrong search', `/?query=${json({ $where: '1' })}`, page.getByRole('alert')],
      ['a dialog', '/', () => page.getByRole('button', { name: 'New' }).click()],
      ['an item that is gone', '/?item=nothing', pane.getByRole('alert')],
      ['no such resource', '/?resource=nothing', page.getByText('There is no resource')],
      [
        'a job',
        '/?resource=jobs&item=9gyhfncWDhnSyzALv',
        pane.getByRole('link', { name: 'total_energy' }),
      ],
      ['a property', '/?resource=properties&item=tSA5pu3uGae2ecRXW', pane.getByText('data.units')],
      [
        'something deleted',
        `/?item=${SAPPHIRE}`,
        async () => {
          await pane.getByRole('button', { name: 'Delete' }).click()
          await page.getByRole('button', { name: 'Undo' }).click()
          await pane.getByRole('button', { name: 'Delete' }).click()
          await page.getByRole('button', { name: 'Undo' }).waitFor()
        },
      ],
      ['no requests', '/?view=requests', page.getByText('No request yet')],
      [
        'requests',
        '/?view=requests',
        async () => {
          await request('/materials?query={"formula":"Si"}')
          app.controls.faults.add({ name: 'errors', status: 500, times: 1 })
          await request('/materials')
          await request('/materials/nothing')
          await page.locator('.badge').waitFor()
        },
      ],
      ['an opened request', '/?view=requests&request=000000000001', pane.locator('pre').first()],
      [
        'its request',
        '/?view=requests&request=000000000001&tab=Request&paused=000000000003',
        pane.getByText('x-account-id'),
      ],
      [
        'a comparison',
        '/?view=requests&request=000000000001&compare=000000000003',
        pane.locator('.differences'),
      ],
      ['a wrong filter', `/?view=requests&filter=${json({ $gtx: 1 })}`, page.locator('mark')],
      [
        'the switches',
        '/?view=switches',
        async () => {
          await page.getByRole('switch', { name: 'Rate limit' }).click()
          await page.getByRole('button', { name: 'Take' }).click()
          await page.locator('.toast', { hasText: 'Took' }).waitFor()
          await page.getByLabel('Your own rule').fill('{"status": 199}')
          await page.getByRole('button', { name: 'Add' }).click()
          await page.locator('#own-rule-error', { hasText: 'status' }).waitFor()
          await page.locator('.fault-line').waitFor()
        },
      ],
    ]
    for (const [name, address, ready] of views) {
      await page.setViewportSize({ width: 1280, height: 800 })
      await visitAddress(page, address)
      await (typeof ready === 'function' ? ready() : ready.waitFor())
      await expectGood(name)
      await page.keyboard.press('Escape')
    }
    t.same(errors, [], 'nothing is written to the console')
  },
)
