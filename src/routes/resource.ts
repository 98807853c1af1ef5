import type { FastifyInstance } from 'fastify'

import { ItemNotFound } from '../errors.js'
import keptAnswers from '../plugins/kept-answers.js'
import type { Collection, Entry } from '../store/collection.js'
import type { Store } from '../store/store.js'
import type { ListingParameters, ListingReader } from './listing.js'
import { getOperation, listOperation } from './resource-operations.js'
import { sendItem, sendList } from './send.js'

/** What the routes of one resource are registered with. */
export interface ResourceOptions {
  readonly store: Store
  readonly collection: Collection
  readonly listings: ListingReader
}

/** The routes of one resource, the same for all: a list, and one item. Behind the auth plugin. */
export async function resource(app: FastifyInstance, options: ResourceOptions): Promise<void> {
  const { store, collection, listings } = options
  app.register(keptAnswers, { answers: store.answers, collection })

  app.get<{ Querystring: ListingParameters }>(
    '/',
    { schema: listOperation(collection.resource), preValidation: listings.parse },
    ({ query, accountId }, reply) => {
      const { listing, toTexts } = listings.compile(query)
      const found = collection.find(listing, store.accepts(accountId))
      const send = (page: readonly Entry[]) => sendList(reply, toTexts(page))
      return found instanceof Promise ? found.then(send) : void send(found)
    },
  )

  app.get<{ Params: { id: string } }>(
    '/:id',
    { schema: getOperation(collection.resource) },
    ({ params, accountId }, reply) => {
      const entry = collection.findById(params.id, store.accepts(accountId))
      if (entry === undefined) throw new ItemNotFound(collection.resource, params.id)
      void sendItem(reply, entry)
    },
  )
}
