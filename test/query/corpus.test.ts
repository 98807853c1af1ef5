import type { FastifyError } from '@fastify/error'
import t from 'tap'

import { readCorpus } from './corpus.js'
import { ask } from './engine.js'

for (const { name, page, items, cases } of readCorpus()) {
  t.test(`${name}, as ${page} says`, async (t) => {
    const before = JSON.stringify(items)
    for (const { ids, answer, refused, whenMet, ...question } of cases) {
      const text = JSON.stringify(question)
      if (refused !== undefined) {
        const error = await refusal(whenMet === true ? items : [], question)
        t.equal(error.statusCode, 400, `${text} is refused`)
        t.ok(error.message.includes(refused), `${error.message} names ${refused}`)
        continue
      }
      const found = await ask(items, question)
      const foundIds = found.map(({ _id }) => _id)
      if (ids !== undefined) t.strictSame(foundIds, ids, text)
      if (answer !== undefined) t.equal(JSON.stringify(found), JSON.stringify(answer), text)
    }
    t.equal(JSON.stringify(items), before, 'no item was changed')
  })
}

async function refusal(...asked: Parameters<typeof ask>): Promise<Partial<FastifyError> & Error> {
  try {
    return new Error(`was answered: ${JSON.stringify(await ask(...asked))}`)
  } catch (error) {
    return error as FastifyError
  }
}
