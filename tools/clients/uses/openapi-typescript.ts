import createClient from 'openapi-fetch'

import { NEWEST, PARAMETERS, PROJECTION, QUERY } from '../expected'
import type { Outcome } from '../expected'
import type { components, paths } from '../generated/openapi-typescript'

// The schemas of the contents have types, too.
QUERY satisfies components['schemas']['Query']
PROJECTION satisfies components['schemas']['Projection']

/** Tries the types of openapi-typescript with openapi-fetch. */
export async function tryClient(baseUrl: string): Promise<Outcome> {
  const client = createClient<paths>({ baseUrl })
  const { data: credentials } = await client.POST('/login', {
    body: { username: 'demo', password: 'demo' },
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
  })
  const headers = { ...credentials }
  const list = await client.GET('/materials', {
    headers,
    params: { query: PARAMETERS },
  })
  const names: (string | undefined)[] | undefined = list.data?.data.map(({ name }) => name)
  if (names?.includes(undefined)) throw new Error('an item has no name')
  const wrong = await client.GET('/materials', {
    headers,
    params: { query: { query: '{"formula":{"$gtx":1}}' } },
  })
  const missing = await client.GET('/jobs/{id}', { headers, params: { path: { id: 'none' } } })
  // @ts-expect-error no failure has this code
  if (missing.error?.data.code === 'NO_SUCH_CODE') throw new Error()
  return {
    items: list.data?.data,
    names: (await client.GET('/materials', { headers, params: { query: NEWEST } })).data?.data.map(
      ({ name }) => name,
    ),
    code: wrong.error?.data.code,
    missing: missing.error?.data.code,
  }
}
