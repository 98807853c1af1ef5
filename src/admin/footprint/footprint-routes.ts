import type { FastifyInstance } from 'fastify'

import { operation } from '../control.js'
import { Footprint } from './footprint.js'

const FOOTPRINT = operation('footprint', 'Get what clients have relied on', Footprint, {
  description:
    'The routes, operators, paths and parameters that requests have used since the start or the last reset, however small the journal is. It has at most 10,000 names of 200 characters; a use that lacks some has `cut`.',
})

/** `GET /footprint`: what clients have relied on. */
export async function footprintRoute(app: FastifyInstance): Promise<void> {
  app.get('/footprint', { schema: FOOTPRINT }, async ({ sandbox }) =>
    sandbox.controls.footprint.toJSON(),
  )
}
