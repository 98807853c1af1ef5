import { Type } from '@sinclair/typebox'
import type { Static } from '@sinclair/typebox'
import type { FastifyInstance, FastifyRequest } from 'fastify'

import { BoundExceeded, SandboxNotFound } from '../../errors.js'
import { Nothing, operation } from '../control.js'
import type { ControlOptions } from '../control.js'

/** The path parameters of a sandbox. Its name is a segment of paths, so it can't be "." or "..". */
export const SandboxParameters = Type.Object({
  name: Type.String({
    pattern: '^(?!\\.{1,2}$)[A-Za-z0-9._-]{1,100}$',
    expected: 'up to 100 letters, digits, "-", "_" and ".", and not "." or ".."',
    examples: ['ann'],
  }),
})
type SandboxParameters = Static<typeof SandboxParameters>

/** A sandbox as the controls list it. */
const SandboxSummary = Type.Object(
  {
    name: Type.String({ examples: ['ann'] }),
    url: Type.String({
      description: 'The path before /api and /__admin in the URLs of the sandbox.',
      examples: ['http://127.0.0.1:4000/sandboxes/ann'],
    }),
  },
  { $id: 'SandboxSummary' },
)
type SandboxSummary = Static<typeof SandboxSummary>

const LIST = operation('sandboxes-list', 'List the sandboxes', Type.Array(SandboxSummary), {
  description: 'By name.',
})

const MAKE = operation('sandboxes-make', 'Make a sandbox', SandboxSummary, {
  description:
    'Makes a sandbox with the fixtures as loaded. It replaces a sandbox with the same name, and its snapshots.',
  params: SandboxParameters,
  errors: [new BoundExceeded('there must be at most 1000 sandboxes; end some first')],
})

const END = operation('sandboxes-end', 'End a sandbox', Nothing, {
  description: 'From then on, requests to the sandbox are a 404.',
  params: SandboxParameters,
  errors: [new SandboxNotFound('ann')],
})

/** Lists, makes and ends sandboxes. The routes are the same within a sandbox. */
export async function sandboxRoutes(
  app: FastifyInstance,
  { sandboxes }: Pick<ControlOptions, 'sandboxes'>,
): Promise<void> {
  const config = { isSharedBySandboxes: true }

  app.get('/', { schema: LIST, config }, async (request) =>
    sandboxes.list().map((name) => toSummary(request, name)),
  )

  app.put<{ Params: SandboxParameters }>('/:name', { schema: MAKE, config }, async (request) => {
    const { name } = request.params
    sandboxes.make(name)
    return toSummary(request, name)
  })

  app.delete<{ Params: SandboxParameters }>(
    '/:name',
    { schema: END, config },
    async ({ params }) => {
      sandboxes.end(params.name)
      return {}
    },
  )
}

const toSummary = ({ protocol, host }: FastifyRequest, name: string): SandboxSummary => ({
  name,
  url: `${protocol}://${host}/sandboxes/${name}`,
})
