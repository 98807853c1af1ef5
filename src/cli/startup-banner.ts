import type { FastifyInstance } from 'fastify'

const KEPT = 'items and snapshots'

/**
 * Returns the text that a start prints: the server's URL, its accounts, and its resources.
 * @param address the URL that the server listens on, with the actual port
 */
export function startupBanner(app: FastifyInstance, address: string, version: string): string {
  const { accounts, collections } = app.store
  const logins = accounts.map(({ username, password }) => `${username} / ${password}`)
  const resources = [...collections].map(([name, { size }]) => `${name} (${size})`)
  const source = app.settings.fixtures ?? 'the shipped fixtures'
  const { state } = app.settings
  return [
    `materials-mock ${version} listens on ${address}/api/2018-10-01`,
    `  log in as  ${logins.join(', ') || 'nobody: accounts.json is empty'}`,
    `  serves     ${resources.join(', ') || 'no resource'} from ${source}`,
    ...(state === undefined
      ? []
      : [`  keeps      ${KEPT} in ${state}; what it has goes before the fixtures`]),
  ].join('\n')
}
