import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'

import fastify from 'fastify'
import t from 'tap'

import { UI_DIRECTORY } from '../../scripts/bundle-ui.js'
import jsend from '../../src/plugins/jsend.js'
import { page as pageRoutes } from '../../src/routes/pages/page.js'
import { skipReason } from '../browser.js'
import { build } from '../build.js'
import { bundlePage, openPage } from './open-page.js'

t.test('the page consists of files of this server, with a strict policy', async (t) => {
  const names = await bundlePage()
  const app = await build(t, { fixtures: {} })
  const root = await app.inject('/')
  t.equal(root.headers['content-type'], 'text/html; charset=utf-8')
  t.match(
    root.headers['content-security-policy'],
    /^default-src 'none'; script-src 'self'; style-src 'self';/,
  )
  const { etag } = root.headers
  const unchanged = await app.inject({ url: '/', headers: { 'if-none-match': String(etag) } })
  t.equal(unchanged.statusCode, 304)
  t.notMatch(root.payload, /<script>|<style|style=|https?:\/\/(?!www\.w3\.org)/)

  const files = [...root.payload.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(
    ([, file]) => file ?? '',
  )
  t.equal(files.length, 2)
  for (const file of files) {
    const response = await app.inject(file)
    t.equal(response.statusCode, 200, file)
    t.match(response.headers['content-type'], /^text\/(javascript|css)/)
    t.equal(response.headers['cache-control'], 'public, max-age=31536000, immutable')
  }
  for (const file of [
    'nothing.js',
    'main-AAAAAAAA.js',
    'index.html',
    '..%2Fpackage.json',
    'a%00.js',
  ])
    t.equal((await app.inject(`/ui/${file}`)).json().data.code, 'ROUTE_NOT_FOUND', file)

  const sizes = names.map((name) => gzipSync(readFileSync(`${UI_DIRECTORY}/${name}`)).length)
  const total = sizes.reduce((sum, size) => sum + size)
  t.ok(total <= 60 * 1024, `a first visit loads ${total} bytes gzipped`)
})

t.test('a page that is not bundled says what to do', async (t) => {
  const app = fastify()
  t.teardown(() => app.close())
  app.register(jsend)
  app.register(pageRoutes, { directory: t.testdir() })
  const response = await app.inject('/')
  t.equal(response.statusCode, 503)
  t.equal(response.json().data.code, 'PAGE_NOT_BUILT')
  t.match(response.json().message, /npm run bundle/)
})

t.test('the page opens as the first account', { skip: skipReason() }, async (t) => {
  const { page, origin, requests, errors } = await openPage(t)
  const rows = page.locator('table.items tbody tr')
  await rows.first().waitFor()
  t.equal(await page.locator('.header select').inputValue(), 'demo')
  t.equal(await rows.count(), 50)
  t.equal(await page.locator('.pager .numbers').textContent(), '1–50 of 55')
  t.match(await page.locator('.resources').textContent(), /bank-materials73/)

  await page.getByRole('button', { name: /Density/ }).click()
  await page.waitForURL(/sort=/)
  await page.locator('th[aria-sort="ascending"]').waitFor()
  await page.getByRole('link', { name: 'Next' }).click()
  await page.locator('.numbers', { hasText: '51–55 of 55' }).waitFor()
  await page.goBack()
  await page.locator('.numbers', { hasText: '1–50 of 55' }).waitFor()

  await page.getByRole('searchbox').fill('O3Al2')
  await page.locator('.numbers', { hasText: '1–1 of 1' }).waitFor()
  t.match(await rows.first().textContent(), /Al2O3/)
  t.same(errors, [])
  t.same(
    requests.filter((url) => !url.startsWith(origin)),
    [],
  )
})
