import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import t from 'tap'

import { startMock } from '../../src/mock/start-mock.js'
import { skipReason, visit } from '../helpers/browser.js'

const EXAMPLE = new URL('../../docs/examples/front-end/index.html', import.meta.url)

t.test('the front end of the first page works', { skip: skipReason() }, async (t) => {
  const mock = await startMock({ logLevel: 'silent' })
  t.teardown(() => mock.close())
  const text = readFileSync(EXAMPLE, 'utf8')
  const html = text.replace('http://127.0.0.1:4000', mock.url)
  const server = createServer((_request, response) =>
    response.setHeader('content-type', 'text/html').end(html),
  )
  await once(server.listen(0, '127.0.0.1'), 'listening')
  t.teardown(() => server.close())
  const { page, errors } = await visit(t)
  const status = page.getByRole('status')
  const rows = page.getByRole('listitem')
  const search = page.getByRole('button', { name: 'Search' })

  await page.goto(`http://localhost:${(server.address() as AddressInfo).port}/`)
  await rows.nth(9).waitFor()
  await page.getByLabel('Formula').fill('GaAs')
  await search.click()
  await rows.nth(1).waitFor({ state: 'detached' })
  t.match(await rows.allTextContents(), [/^GaAs, /])
  await page.getByLabel('Formula').fill('Xx')
  await search.click()
  await status.filter({ hasText: 'No materials' }).waitFor()
  await page.getByRole('button', { name: 'New project' }).click()
  await status.filter({ hasText: 'Created Semiconductors (' }).waitFor()
  t.same(errors, [])

  mock.faults.add({ path: '/api/*/materials', status: 503, message: 'the platform is busy' })
  await search.click()
  await status.filter({ hasText: 'the platform is busy' }).waitFor()
})
