import { spawn } from 'node:child_process'

import { Type } from '@sinclair/typebox'
import type { Static } from '@sinclair/typebox'
import closeWithGrace from 'close-with-grace'
import type { FastifyInstance } from 'fastify'

import { Options } from '../options.js'
import { readPackageVersion } from '../package.js'
import { describeResource } from '../resources/resources.js'
import { buildApp } from '../server/app.js'
import { listen } from '../server/listen.js'
import { parseValues, print } from './command.js'
import type { Command } from './command.js'

/** The options of the command without a name: the options of a server, and those of its process. */
export const ServeOptions = Type.Object(
  {
    ...Options.properties,
    open: Type.Boolean({ default: false, description: 'open the page in the browser' }),
    stopWithStdin: Type.Boolean({
      default: false,
      description: 'stop when standard input ends, for a program that starts the server',
    }),
  },
  { additionalProperties: false },
)
export type ServeOptions = Static<typeof ServeOptions>

export const serve: Command<Partial<ServeOptions>> = {
  usage: '[options]',
  summary:
    'Serves the REST API of Mat3ra (formerly Exabyte), version 2018-10-01, from fixtures in memory.',
  schema: ServeOptions,
  parse: (flags, environment) => parseValues(ServeOptions, flags, environment, () => true),
  run: startServer,
}

/**
 * They end the process at once: Node may never run a listener for them, and it would hang
 * (https://nodejs.org/api/process.html#signal-events).
 */
const FAULT_SIGNALS = ['SIGILL', 'SIGBUS', 'SIGFPE', 'SIGSEGV'] as const

/**
 * Closes in order at SIGINT, SIGTERM and, with `stopWithStdin`, when standard input ends: the
 * program that holds it has ended, however it did.
 * @throws OptionsInvalid, FixturesInvalid
 */
async function startServer({
  open,
  stopWithStdin,
  ...options
}: Partial<ServeOptions>): Promise<boolean> {
  const logLevel = process.stdout.isTTY ? 'info' : 'warn'
  const app = await buildApp({ logLevel, ...options })
  const { close, uninstall } = closeWithGrace(
    { delay: 5000, logger: false, skip: [...FAULT_SIGNALS] },
    async ({ err }) => {
      if (err !== undefined) app.log.fatal(err)
      await app.close()
    },
  )
  const address = await listen(app).catch((error) => {
    uninstall() // it would end the process with 0
    throw error
  })
  if (stopWithStdin === true) process.stdin.resume().once('close', close)
  const banner = formatBanner(app, address, readPackageVersion())
  const line = JSON.stringify({ level: 30, time: Date.now(), address, msg: banner })
  print(app.settings.logFormat === 'json' ? line : banner)
  if (open === true) openBrowser(address, (message) => app.log.warn(message))
  return true
}

/** @param address has the actual port */
function formatBanner(app: FastifyInstance, address: string, version: string): string {
  const { accounts, collections } = app.store
  const logins = accounts.map(({ username, password }) => `${username} / ${password}`)
  const resources = [...collections]
    .filter(([name, { size }]) => size > 0 || describeResource(name).isAlwaysServed !== true)
    .map(([name, { size }]) => `${name} (${size})`)
  const source = app.settings.fixtures ?? 'the shipped fixtures'
  const converted = Array.from(app.convertedCounts, ([file, count]) => `${count} in ${file}`)
  const { state } = app.settings
  const rows = {
    browser: `${address}/ for a page of the data, ${address}/explorer to try requests`,
    API: `${address}/api/2018-10-01`,
    'log in as': logins.join(', ') || 'nobody: accounts.json is empty',
    serves: `${resources.join(', ') || 'no resource'} from ${source}`,
    ...(app.convertedCounts.size > 0 && {
      converted: `from MongoDB's Extended JSON: ${converted.join(', ')}`,
    }),
    ...(app.settings.strict && {
      strict: 'only what the platform documents is taken; items must be whole',
    }),
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

/** The commands that open a URL, by `process.platform`. All other platforms use the command of freedesktop.org. */
const COMMANDS: Readonly<Record<string, readonly [command: string, ...args: string[]]>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
}

/** @param onError called with a message if the URL can't be opened */
function openBrowser(url: string, onError: (message: string) => void): void {
  const [command, ...args] = COMMANDS[process.platform] ?? ['xdg-open']
  const child = spawn(command, [...args, url], { stdio: 'ignore', detached: true })
  child.on('error', () => onError(`open ${url} in a browser; ${command} can't be run`))
  child.unref()
}
