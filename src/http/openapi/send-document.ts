import { createHash } from 'node:crypto'

import type { FastifyReply, FastifyRequest } from 'fastify'

import type { Work } from '@materials-mock/work'
import { JSON_TYPE } from '../envelope.js'
import { liftBudget } from '../run-work.js'
import { sendTagged } from '../send-tagged.js'

/**
 * 304 for what the client has.
 * @param work has no budget: it is the same whatever is asked
 */
export async function sendDocument(
  request: FastifyRequest,
  reply: FastifyReply,
  work: Work<object>,
): Promise<FastifyReply> {
  liftBudget(request)
  const text = JSON.stringify(await request.runWork(work))
  reply.type(JSON_TYPE)
  if (request.pageMark !== 'own') return reply.send(text)
  reply.header('cache-control', 'no-cache')
  const tag = createHash('sha256').update(text).digest('base64url')
  return sendTagged(request, reply, tag, text)
}
