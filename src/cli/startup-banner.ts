import type { FastifyInstance } from 'fastify'

/** What a start prints: the address it really listens on, who can log in, and what is served. */
export function startupBanner(app: FastifyInstance, address: string, version: string): string {
  const { accounts, collections } = app.store
  const logins = accounts.map(({ username, password }) => `${username} / ${password}`)
  const served = [...collections].map(([name, { size }]) => `${name} (${size})`)
  const source = app.settings.fixtures ?? 'the shipped fixtures'
  return [
    `materials-mock ${version} listens on ${address}/api/2018-10-01`,
    `  log in as  ${logins.join(', ') || 'nobody: accounts.json is empty'}`,
    `  serves     ${served.join(', ') || 'no resource'} from ${source}`,
  ].join('\n')
}
