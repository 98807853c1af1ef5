import t from 'tap'

import { build, listUrl, logIn, send } from '../build.js'
import { readCorpus } from './corpus.js'

t.test('the server gives the answers of the corpus', async (t) => {
  const groups = readCorpus().map((group, index) => ({ ...group, resource: `group-${index}` }))
  const files = groups.map(({ resource, items }) => [`${resource}.json`, JSON.stringify(items)])
  const app = await build(t, { fixtures: t.testdir(Object.fromEntries(files)) })
  const headers = await logIn(app, 'demo', 'demo')

  for (const { resource, cases } of groups) {
    for (const { query, projection, ids, answer, refused } of cases) {
      const response = await send(app, listUrl(resource, query, projection), { headers })
      const text = JSON.stringify({ query, projection })
      const { data, message } = response.json()
      t.equal(response.statusCode, refused === undefined ? 200 : 400, `${text} in ${resource}`)
      if (refused !== undefined) t.ok(message.includes(refused), `${message} names ${refused}`)
      if (ids !== undefined) t.strictSame(idsOf(data), ids, text)
      if (answer !== undefined) t.equal(JSON.stringify(data), JSON.stringify(answer), text)
    }
  }
  for (const { resource, items } of groups) {
    const response = await send(app, listUrl(resource), { headers })
    t.equal(JSON.stringify(response.json().data), JSON.stringify(items), `${resource} is as it was`)
  }
})

const idsOf = (items: readonly { readonly _id: string }[]): readonly string[] =>
  items.map(({ _id }) => _id)
