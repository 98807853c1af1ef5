import type { FastifyInstance } from 'fastify'
import { Type } from '@sinclair/typebox'

import { Listing } from '../schemas/listing.js'
import type { AdminOptions } from './admin.js'
import type { ListingParameters } from './listing.js'
import { sendList } from './send.js'

/** The parameters of a count: those of a list but for the projection. */
const Counting = Type.Pick(Listing, ['query'])

/** The journal: the requests that fit a query, the newest first, how many they are, and none. */
export async function requestRoutes(
  app: FastifyInstance,
  { store: { journal }, listings }: Pick<AdminOptions, 'store' | 'listings'>,
): Promise<void> {
  app.get<{ Querystring: ListingParameters }>(
    '/',
    { schema: { querystring: Listing }, preValidation: listings.parse },
    async ({ query }, reply) => {
      const { listing, toTexts } = listings.compile(query)
      const found = await journal.read().find(listing, everything)
      return sendList(reply, toTexts(found))
    },
  )

  app.get<{ Querystring: ListingParameters }>(
    '/count',
    { schema: { querystring: Counting }, preValidation: listings.parse },
    async ({ query }) => {
      const { listing } = listings.compile(query)
      const found = await journal.read().find({ ...listing, limit: journal.size }, everything)
      return { count: found.length }
    },
  )

  app.delete('/', async () => {
    journal.clear()
    return {}
  })
}

const everything = (): boolean => true
