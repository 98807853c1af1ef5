import t from 'tap'

import { build, listUrl, logIn, send } from '../build.js'
import { readCorpus } from './corpus.js'

t.test('the server returns the results of the corpus', async (t) => {
  const groups = readCorpus().map((group, index) => ({ ...group, resource: `group-${index}` }))
  const files = groups.map(({ resource, items }) => [`${resource}.json`, JSON.stringify(items)])
  const app = await build(t, { fixtures: t.testdir(Object.fromEntries(files)) })
  const headers = await logIn(app, 'demo', 'demo')

  for (const { resource, cases } of groups) {
    for (const { query, projection, ids, result, error } of cases) {
      const response = await send(app, listUrl(resource, query, projection), { headers })
      const text = JSON.stringify({ query, projection })
      const { data, message } = response.json()
      t.equal(response.statusCode, error === undefined ? 200 : 400, `${text} in ${resource}`)
      if (error !== undefined) t.ok(message.includes(error), `${message} contains ${error}`)
      if (ids !== undefined) t.strictSame(findIds(data), ids, text)
      if (result !== undefined) t.equal(JSON.stringify(data), JSON.stringify(result), text)
    }
  }
  for (const { resource, items } of groups) {
    const response = await send(app, listUrl(resource), { headers })
    t.equal(JSON.stringify(response.json().data), JSON.stringify(items), `${resource} is unchanged`)
  }
})

const findIds = (items: readonly { readonly _id: string }[]): readonly string[] =>
  items.map(({ _id }) => _id)
