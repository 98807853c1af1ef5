import { NEWEST, PARAMETERS, PROJECTION, QUERY } from '../expected'
import type { Outcome } from '../expected'
import { client } from '../generated/hey-api/client.gen'
import { jobsGet, login, materialsList } from '../generated/hey-api/sdk.gen'
import type { Projection, Query } from '../generated/hey-api/types.gen'

// The schemas of the contents have types, too.
QUERY satisfies Query
PROJECTION satisfies Projection

/** Tries the client of @hey-api/openapi-ts. */
export async function tryClient(baseUrl: string): Promise<Outcome> {
  client.setConfig({ baseUrl })
  const { data: credentials } = await login({ body: { username: 'demo', password: 'demo' } })
  client.setConfig({ baseUrl, headers: { ...credentials } })
  const list = await materialsList({ query: PARAMETERS })
  const names: (string | undefined)[] | undefined = list.data?.data.map(({ name }) => name)
  if (names?.includes(undefined)) throw new Error('an item has no name')
  const wrong = await materialsList({ query: { query: '{"formula":{"$gtx":1}}' } })
  const missing = await jobsGet({ path: { id: 'none' } })
  // @ts-expect-error no failure has this code
  if (missing.error?.data.code === 'NO_SUCH_CODE') throw new Error()
  return {
    items: list.data?.data,
    names: (await materialsList({ query: NEWEST })).data?.data.map(({ name }) => name),
    code: wrong.error?.data.code,
    missing: missing.error?.data.code,
  }
}
