import { isJsonObject } from '@materials-mock/json'
import {
  expectFailure,
  expectMessage,
  expectJsonType,
  expectRefused,
  expectSame,
  expectSuccess,
  expectTrue,
} from '../expect.js'
import { Lack, Mismatch, words } from '../outcome.js'
import { itemPath } from '../probe.js'
import type { Probe } from '../probe.js'
import { defineGroup } from '../statement.js'
import type { Statement } from '../statement.js'

const { documented, assumed, fails } = defineGroup('paths')

/** The statements on the two endpoints of a resource, and on unknown paths. */
export const PATHS: readonly Statement[] = [
  documented('list', 'GET /<resource> answers with a list of items', async (probe) => {
    await probe.list(undefined, { limit: 10 })
  }),
  documented('list-ids', 'No two items of a list have the same _id', async (probe) => {
    const ids = (await probe.list()).map((item) => item._id)
    const repeated = ids.find((id, index) => ids.indexOf(id) !== index)
    expectTrue(repeated === undefined, 'an _id of each item', words(`${repeated} twice`))
  }),
  documented('item', 'GET /<resource>/{id} answers with the item', async (probe) => {
    for (const index of [0, probe.sample.length - 1]) {
      const data = expectSuccess(await probe.get(itemPath(probe, Math.max(0, index))))
      expectSame(isJsonObject(data) ? data._id : data, probe.sample.at(index)?._id)
    }
  }),
  documented('item-as-in-list', 'An item is the same in a list and by its id', async (probe) => {
    const { sample } = probe
    for (const index of new Set([0, sample.length >> 1, sample.length - 1])) {
      const item = expectSuccess(await probe.get(itemPath(probe, Math.max(0, index))))
      expectSame(item, sample[index])
    }
  }),
  documented('item-missing', 'An item that does not exist is an error', async (probe) => {
    expectRefused(await probe.get(itemPath(probe, 'nothing')))
  }),
  documented('resource-unknown', 'A resource that does not exist is not served', (probe) =>
    expectNotServed(probe, probe.deployment.client.root, `/${UNKNOWN_RESOURCE}`),
  ),
  ...['1999-12-31', '2018-10-02'].map((version) =>
    documented(`version-${version}`, `Version ${version} is not served`, async (probe) => {
      const other = toVersion(probe, version)
      if (other === probe.deployment.client.root)
        throw new Lack('another version', `the version ${version} itself`)
      await expectNotServed(probe, other, probe.listPath())
    }),
  ),
  documented('version-none', 'A path without the version is not served', async (probe) => {
    const root = probe.deployment.client.root.replace(/\/[^/]*$/, '')
    await expectNotServed(probe, root, probe.listPath())
  }),
  assumed('item-missing-404', 'A missing item is 404 ITEM_NOT_FOUND', (probe) =>
    expectMissing(probe, 'nothing'),
  ),
  assumed('item-encoded', 'An id is decoded: a%2Fb is the id a/b', (probe) =>
    expectMissing(probe, 'a/b'),
  ),
  assumed('unknown-404', 'An unknown path is 404 ROUTE_NOT_FOUND, in JSON', async (probe) => {
    const response = await probe.get(`/${UNKNOWN_RESOURCE}`)
    expectFailure(response, 404, 'ROUTE_NOT_FOUND')
    expectJsonType(response)
  }),
  fails('version-404', 'Another version is 404 ROUTE_NOT_FOUND', (probe) =>
    probe.request({ root: toVersion(probe, '1999-12-31'), path: probe.listPath() }),
  ),
  assumed('trailing-slash', 'A trailing slash makes no difference', async (probe) => {
    const path = itemPath(probe, 0)
    expectSame(expectSuccess(await probe.get(`${path}/`)), expectSuccess(await probe.get(path)))
    expectSuccess(await probe.get(`/${probe.resource}/`))
  }),
  assumed('head', 'HEAD answers as GET does, without a body', async (probe) => {
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
  assumed('head-none', 'HEAD without the two headers is 401', async (probe) => {
    const path = probe.listPath()
    expectSame((await probe.send({ method: 'HEAD', path })).status, 401)
  }),
  assumed('method', 'GET /login is 405 METHOD_NOT_ALLOWED, with Allow', async (probe) => {
    const response = await probe.get('/login')
    expectFailure(response, 405, 'METHOD_NOT_ALLOWED')
    expectSame(response.headers.get('allow'), 'POST')
  }),
  fails('percent', 'A path with a bad % is 400 REQUEST_MALFORMED', (probe) =>
    probe.get(`/${probe.resource}/%zz`),
  ),
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

const toVersion = (probe: Probe, version: string): string =>
  probe.deployment.client.root.replace(/(?<=\/)[^/]*$/, version)

/** Expects that there is no item with an id, and that the message quotes the id. */
async function expectMissing(probe: Probe, id: string): Promise<void> {
  const response = await probe.get(itemPath(probe, id))
  expectFailure(response, 404, 'ITEM_NOT_FOUND')
  expectMessage(response, `${probe.resource} has no item with _id "${id}"`)
}
