import t from 'tap'

import type { JsonObject } from '@materials-mock/json'
import { build, listUrl, logIn, send } from '../helpers/build.js'
import { readCorpus } from '../../packages/query/test/corpus.js'
import type { CorpusCase } from '../../packages/query/test/corpus.js'

/** A resource without items. What is refused at parse time is refused here as well. */
const EMPTY = 'empty'

interface Response {
  readonly data: JsonObject[]
  readonly message?: string
}

const groups = readCorpus().map((group, index) => ({ ...group, resource: `group-${index}` }))

const files = groups.map(({ resource, items }) => [`${resource}.json`, JSON.stringify(items)])
const app = await build(t, {
  fixtures: t.testdir({ ...Object.fromEntries(files), [`${EMPTY}.json`]: '[]' }),
})
const headers = await logIn(app, 'demo', 'demo')

for (const { name, page, items, cases, resource } of groups) {
  t.test(`${name} has the results of ${page}`, async (t) => {
    for (const each of cases) {
      const { query, projection, error, dependsOnItems } = each
      const isRefusedAtParseTime = error !== undefined && dependsOnItems !== true
      const url = listUrl(isRefusedAtParseTime ? EMPTY : resource, query, projection)
      const { statusCode, payload } = await send(app, url, { headers })
      const { data, message = '' } = JSON.parse(payload) as Response
      const found =
        statusCode === 200
          ? describeItems(each, data)
          : `${statusCode}: ${error !== undefined && message.includes(error) ? error : message}`
      const wanted = error === undefined ? describeItems(each) : `400: ${error}`
      t.equal(found, wanted, JSON.stringify({ query, projection }))
    }
    const { payload } = await send(app, listUrl(resource), { headers })
    t.equal(JSON.stringify(JSON.parse(payload).data), JSON.stringify(items), 'no item has changed')
  })
}

/** Returns the parts of a list that a case names, the items with the order of their keys. */
function describeItems({ ids, result }: CorpusCase, items?: readonly JsonObject[]): string {
  const foundIds = items?.map(({ _id }) => _id) ?? ids
  return JSON.stringify({ ids: ids && foundIds, items: result && (items ?? result) })
}
