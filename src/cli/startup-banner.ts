import type { FastifyInstance } from 'fastify'

/**
 * Returns the text that a start prints: what to open in a browser, the URL of the API, the accounts,
 * the resources, and how to stop.
 * @param address the URL that the server listens on, with the actual port
 */
export function startupBanner(app: FastifyInstance, address: string, version: string): string {
  const { accounts, collections } = app.store
  const logins = accounts.map(({ username, password }) => `${username} / ${password}`)
  const resources = [...collections].map(([name, { size }]) => `${name} (${size})`)
  const source = app.settings.fixtures ?? 'the shipped fixtures'
  const { state } = app.settings
  const rows = {
    browser: `${address}/ for a page of the data, ${address}/explorer to try requests`,
    API: `${address}/api/2018-10-01`,
    'log in as': logins.join(', ') || 'nobody: accounts.json is empty',
    serves: `${resources.join(', ') || 'no resource'} from ${source}`,
    ...(state !== undefined && {
      keeps: `items and snapshots in ${state}; what it has takes precedence over the fixtures`,
    }),
    controls: app.hasRoute({ method: 'GET', url: '/__admin/health' })
      ? `${address}/__admin: reset, faults, snapshots, the recorded requests`
      : 'none on this host; --admin serves them',
    stop: 'Ctrl+C',
  }
  const lines = Object.entries(rows).map(([name, text]) => `  ${name.padEnd(9)}  ${text}`)
  return [`materials-mock ${version} is running`, ...lines].join('\n')
}
