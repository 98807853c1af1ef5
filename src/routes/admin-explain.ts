import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Type } from '@sinclair/typebox'

import { ParameterInvalid, RouteNotFound } from '../errors.js'
import { quote } from '../schemas/expectation.js'
import { Listing } from '../schemas/listing.js'
import type { Accepts } from '../store/access.js'
import { explain } from '../store/explain.js'
import type { Store } from '../store/store.js'
import type { AdminOptions } from './admin.js'
import type { ListingParameters } from './listing.js'

/** The parameters of a list, and whose list it is. */
const Explaining = Type.Object({
  ...Listing.properties,
  accountId: Type.Optional(Type.String()),
})

/** A request for an explanation, once its parameters are parsed. */
interface ExplainRoute {
  readonly Params: { readonly resource: string }
  readonly Querystring: ListingParameters & { readonly accountId?: string }
}

/**
 * `GET /explain/{resource}`: how a list would be evaluated, which index it uses, how many items it
 * looks at, and how long it takes. Kept answers are left out of it, and so is the writing of the page.
 */
export async function explainRoute(
  app: FastifyInstance,
  { store, listings }: Pick<AdminOptions, 'store' | 'listings'>,
): Promise<void> {
  const parse = (request: FastifyRequest, reply: unknown, done: () => void): void => {
    const { accountId } = request.query as ExplainRoute['Querystring']
    listings.parse(request, reply, () => {
      if (accountId !== undefined) Object.assign(request.query as object, { accountId })
      done()
    })
  }

  app.get<ExplainRoute>(
    '/explain/:resource',
    { schema: { querystring: Explaining }, preValidation: parse },
    async ({ params, query, url }) => {
      const collection = store.collections.get(params.resource)
      if (collection === undefined) throw new RouteNotFound(url.split('?')[0] as string)
      return explain(collection, listings.compile(query).listing, acceptsOf(store, query.accountId))
    },
  )
}

/** What an account sees; without one, everything. Throws ParameterInvalid for an unknown one. */
function acceptsOf(store: Store, accountId: string | undefined): Accepts {
  if (accountId === undefined) return () => true
  if (store.accounts.some(({ _id }) => _id === accountId)) return store.accepts(accountId)
  throw new ParameterInvalid(`accountId must be the _id of an account, not ${quote(accountId)}`)
}
