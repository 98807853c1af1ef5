import type { FastifyInstance } from 'fastify'

import { operation } from '../control.js'
import { Footprint } from './footprint.js'

const FOOTPRINT = operation('footprint', 'Get the footprint of clients', Footprint, {
  description:
    'Returns the routes, operators, paths and parameters that requests have used since the start or the last reset, independent of the size of the journal. A footprint has at most 10,000 names of 200 characters; a use that lacks some names has `cut`.',
})

/** `GET /footprint`: the features that clients have used. */
export async function footprintRoute(app: FastifyInstance): Promise<void> {
  app.get('/footprint', { schema: FOOTPRINT }, async ({ sandbox }) =>
    sandbox.controls.footprint.toJSON(),
  )
}
