import { isJsonObject } from '@materials-mock/json'
import {
  expectFailure,
  expectJsonType,
  expectRefused,
  expectSame,
  expectSuccess,
  expectTrue,
} from '../expect.js'
import { Lack, Mismatch, words } from '../outcome.js'
import { itemPath } from '../probe.js'
import type { Probe } from '../probe.js'
import { assumed, documented } from '../statement.js'
import type { Statement } from '../statement.js'

/** The statements on the two endpoints of a resource, and on unknown paths. */
export const PATHS: readonly Statement[] = [
  documented('paths.list', 'GET /<resource> answers with a list of items', async (probe) => {
    await probe.list(undefined, { limit: 10 })
  }),
  documented('paths.list-ids', 'No two items of a list have the same _id', async (probe) => {
    const ids = (await probe.list()).map((item) => item._id)
    const repeated = ids.find((id, index) => ids.indexOf(id) !== index)
    expectTrue(repeated === undefined, 'an _id of each item', words(`${repeated} twice`))
  }),
  documented('paths.item', 'GET /<resource>/{id} answers with the item', async (probe) => {
    for (const index of [0, probe.sample.length - 1]) {
      const data = expectSuccess(await probe.get(itemPath(probe, Math.max(0, index))))
      expectSame(isJsonObject(data) ? data._id : data, probe.sample.at(index)?._id)
    }
  }),
  documented(
    'paths.item-as-in-list',
    'An item is the same in a list and by its id',
    async (probe) => {
      const { sample } = probe
      for (const index of new Set([0, sample.length >> 1, sample.length - 1])) {
        const item = expectSuccess(await probe.get(itemPath(probe, Math.max(0, index))))
        expectSame(item, sample[index])
      }
    },
  ),
  documented('paths.item-missing', 'An item that does not exist is an error', async (probe) => {
    expectRefused(await probe.get(itemPath(probe, 'nothing')))
  }),
  documented('paths.resource-unknown', 'A resource that does not exist is not served', (probe) =>
    expectNotServed(probe, probe.deployment.client.root, `/${UNKNOWN_RESOURCE}`),
  ),
  ...['1999-12-31', '2018-10-02'].map((version) =>
    documented(`paths.version-${version}`, `Version ${version} is not served`, async (probe) => {
      const { root } = probe.deployment.client
      const other = root.replace(/(?<=\/)[^/]*$/, version)
      if (other === root) throw new Lack('another version', `the version ${version} itself`)
      await expectNotServed(probe, other, probe.listPath())
    }),
  ),
  documented('paths.version-none', 'A path without the version is not served', async (probe) => {
    const root = probe.deployment.client.root.replace(/\/[^/]*$/, '')
    await expectNotServed(probe, root, probe.listPath())
  }),
  assumed('paths.item-missing-404', 'A missing item is 404 ITEM_NOT_FOUND', async (probe) => {
    const response = await probe.get(itemPath(probe, 'nothing'))
    expectFailure(response, 404, 'ITEM_NOT_FOUND')
    expectMessage(response.json, `${probe.resource} has no item with _id "nothing"`)
  }),
  assumed('paths.item-encoded', 'An id is decoded: a%2Fb is the id a/b', async (probe) => {
    const response = await probe.get(itemPath(probe, 'a/b'))
    expectFailure(response, 404, 'ITEM_NOT_FOUND')
    expectMessage(response.json, `${probe.resource} has no item with _id "a/b"`)
  }),
  assumed('paths.unknown-404', 'An unknown path is 404 ROUTE_NOT_FOUND, in JSON', async (probe) => {
    const response = await probe.get(`/${UNKNOWN_RESOURCE}`)
    expectFailure(response, 404, 'ROUTE_NOT_FOUND')
    expectJsonType(response)
  }),
  assumed('paths.version-404', 'Another version is 404 ROUTE_NOT_FOUND', async (probe) => {
    const root = probe.deployment.client.root.replace(/(?<=\/)[^/]*$/, '1999-12-31')
    const path = probe.listPath()
    expectFailure(await probe.request({ root, path }), 404, 'ROUTE_NOT_FOUND')
  }),
  assumed('paths.trailing-slash', 'A trailing slash makes no difference', async (probe) => {
    const path = itemPath(probe, 0)
    expectSame(expectSuccess(await probe.get(`${path}/`)), expectSuccess(await probe.get(path)))
    expectSuccess(await probe.get(`/${probe.resource}/`))
  }),
  assumed('paths.head', 'HEAD answers as GET does, without a body', async (probe) => {
    for (const path of [probe.listPath(), itemPath(probe, 0), itemPath(probe, 'nothing')]) {
      const [head, get] = [await probe.request({ method: 'HEAD', path }), await probe.get(path)]
      const [actual, expected] = [head, get].map(({ status, headers }) => [
        status,
        headers.get('content-type'),
      ])
      expectSame(actual, expected, head.request)
      expectSame(head.text, '', head.request)
    }
  }),
  assumed('paths.head-none', 'HEAD without the two headers is 401', async (probe) => {
    const path = probe.listPath()
    expectSame((await probe.send({ method: 'HEAD', path })).status, 401)
  }),
  assumed('paths.method', 'GET /login is 405 METHOD_NOT_ALLOWED, with Allow', async (probe) => {
    const response = await probe.get('/login')
    expectFailure(response, 405, 'METHOD_NOT_ALLOWED')
    expectSame(response.headers.get('allow'), 'POST')
  }),
  assumed('paths.percent', 'A path with a bad % is 400 REQUEST_MALFORMED', async (probe) => {
    expectFailure(await probe.get(`/${probe.resource}/%zz`), 400, 'REQUEST_MALFORMED')
  }),
]

const UNKNOWN_RESOURCE = 'no-resource-of-this-name'

/** Expects that a path is not served by the API. A site may answer it with a page, like any unknown path. */
async function expectNotServed(probe: Probe, root: string, path: string): Promise<void> {
  const { status, json, text, headers } = await probe.request({ root, path })
  const target = headers.get('location') ?? ''
  const isRedirected = status >= 300 && status < 400 && /\/\d{4}-\d\d-\d\d\//.test(target)
  if (isRedirected)
    throw new Mismatch(words('no answer of the API'), words(`a redirect to ${target}`))
  if (status < 400 && json !== undefined)
    throw new Mismatch(words('no answer of the API'), words(`status ${status} and ${text}`))
}

function expectMessage(json: unknown, expected: string): void {
  expectSame(isJsonObject(json) ? json.message : json, expected)
}
