import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'

import { CredentialsRejected } from '../errors.js'

/** Rejects requests without the credentials of an open session, in the scope that registers it. */
async function auth(app: FastifyInstance): Promise<void> {
  app.addHook('onRequest', ({ isSignedIn }, _reply, done) => {
    done(isSignedIn ? undefined : new CredentialsRejected())
  })
}

export default fp(auth, { name: 'auth' })
