import { NEWEST, PARAMETERS, PROJECTION, QUERY } from '../expected'
import type { Outcome } from '../expected'
import { jobsGet, login, materialsList } from '../generated/orval'
import type { Projection, Query } from '../generated/orval'

// The schemas of the contents have types, too.
QUERY satisfies Query
PROJECTION satisfies Projection

/** Tries the client of orval, which has the URL of the server from the document. */
export async function tryClient(): Promise<Outcome> {
  const session = await login({ username: 'demo', password: 'demo' })
  if (session.status !== 200) throw new Error(`the login failed with ${session.status}`)
  const options = { headers: { ...session.data } }
  const list = await materialsList(PARAMETERS, options)
  if (list.status !== 200) throw new Error(list.data.message)
  const names: (string | undefined)[] = list.data.data.map(({ name }) => name)
  if (names.includes(undefined)) throw new Error('an item has no name')
  const newest = await materialsList(NEWEST, options)
  const wrong = await materialsList({ query: '{"formula":{"$gtx":1}}' }, options)
  const missing = await jobsGet('none', options)
  // @ts-expect-error no failure has this code
  if (missing.status !== 200 && missing.data.data.code === 'NO_SUCH_CODE') throw new Error()
  return {
    items: list.data.data,
    names: newest.status === 200 ? newest.data.data.map(({ name }) => name) : newest.data.message,
    code: wrong.status === 400 ? wrong.data.data.code : undefined,
    missing: missing.status === 404 ? missing.data.data.code : undefined,
  }
}
