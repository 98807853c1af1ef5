import type { FastifyError } from '@fastify/error'
import t from 'tap'

import { readCorpus } from './corpus.js'
import { runQuery } from './run-query.js'

for (const { name, page, items, cases } of readCorpus()) {
  t.test(`${name} has the results of ${page}`, async (t) => {
    const before = JSON.stringify(items)
    for (const { ids, result, error: expected, dependsOnItems, ...parameters } of cases) {
      const text = JSON.stringify(parameters)
      if (expected !== undefined) {
        const error = await catchError(dependsOnItems === true ? items : [], parameters)
        t.equal(error.statusCode, 400, `${text} is an error`)
        t.ok(error.message.includes(expected), `${error.message} contains ${expected}`)
        continue
      }
      const found = await runQuery(items, parameters)
      const foundIds = found.map(({ _id }) => _id)
      if (ids !== undefined) t.strictSame(foundIds, ids, text)
      if (result !== undefined) t.equal(JSON.stringify(found), JSON.stringify(result), text)
    }
    t.equal(JSON.stringify(items), before, 'no item has changed')
  })
}

async function catchError(
  ...query: Parameters<typeof runQuery>
): Promise<Partial<FastifyError> & Error> {
  try {
    return new Error(`no error, but ${JSON.stringify(await runQuery(...query))}`)
  } catch (error) {
    return error as FastifyError
  }
}
