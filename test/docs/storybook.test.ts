import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import t from 'tap'

import { startMock } from '../../src/mock/start-mock.js'
import { skipReason, visit } from '../helpers/browser.js'
import { STORIES_PAGE } from './stories-page.js'

const EXAMPLE = new URL('../../docs/examples/storybook/', import.meta.url)

t.test(
  'the stories of the page are in scenarios of their own',
  { skip: skipReason() },
  async (t) => {
    const mock = await startMock({ logLevel: 'silent' })
    t.teardown(() => mock.close())
    const { page, errors } = await visit(t)
    const server = createServer(({ url = '/' }, response) => {
      if (url === '/') return response.setHeader('Content-Type', 'text/html').end(STORIES_PAGE)
      const text = readFileSync(new URL(`.${url}`, EXAMPLE), 'utf8')
      response.setHeader('Content-Type', 'text/javascript')
      return response.end(text.replace('http://127.0.0.1:4000', mock.url))
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    t.teardown(() => server.close())
    await page.goto(`http://localhost:${(server.address() as AddressInfo).port}`)
    const rows = (story: string) => page.locator(`#${story} li`)
    const status = (story: string, text: string) =>
      page.locator(`#${story} [role=status]`, { hasText: text }).waitFor()

    await Promise.all([
      status('Empty', 'No jobs'),
      status('BusyQueue', '5 jobs'),
      status('Slow', '2 jobs'),
    ])
    t.same(await rows('BusyQueue').allTextContents(), [
      'Failed: error',
      'Finished: finished',
      'In the queue: submitted',
      'Not submitted yet: pre-submission',
      'Running: active',
    ])
    t.match(await rows('Slow').allTextContents(), ['Failed: error', /^Waits in the queue: /])

    await page.locator('#BusyQueue button').click()
    await status('BusyQueue', '4 jobs')
    const jobs = (name: string) =>
      mock.app.inject(`/sandboxes/job-list--${name}/__admin/fixtures/jobs`)
    t.equal((await jobs('busyqueue')).json().data.length, 4)
    t.equal((await jobs('slow')).json().data.length, 2)
    t.equal((await jobs('empty')).json().data.length, 0)
    t.same(errors, [])
  },
)
