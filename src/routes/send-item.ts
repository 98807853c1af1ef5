import type { FastifyReply } from 'fastify'

import { JSON_TYPE } from '../plugins/jsend.js'
import { successText } from '../schemas/jsend.js'
import { textOf } from '../store/collection.js'
import type { Entry } from '../store/collection.js'

/** Answers with one item, as the text that is kept of it. */
export const sendItem = (reply: FastifyReply, entry: Entry): FastifyReply =>
  reply.type(JSON_TYPE).send(successText(textOf(entry)))
