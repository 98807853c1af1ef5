import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

import { ENGINES, findLack } from './drivers.js'
import type { Engine } from './drivers.js'
import { STEPS } from './steps.js'

/**
 * Takes the steps of `steps.ts` in each browser that is there, with servers and a site of the built command.
 * With names as arguments, in those browsers alone.
 */

const COMMAND = fileURLToPath(new URL('../../dist/cli.cjs', import.meta.url))

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.wasm': 'application/wasm',
}

/** The path of the site, which is not the root of its host. */
const SITE_PATH = '/some/where/'

/** The path of the same site on a slow network. */
const SLOW_PATH = '/slow/where/'

/** The time that the worker of the slow site takes to arrive, in ms: longer than a page has to answer. */
const SLOWNESS = 5000

interface Served {
  /** With a slash at its end. */
  readonly address: string
  close(): void
}

const names = process.argv.slice(2)
const engines = ENGINES.filter(({ name }) => names.length === 0 || names.includes(name))
const site = await serveSite()
let [passed, failed] = [0, 0]
for (const engine of engines) {
  const lack = findLack(engine)
  if (lack === undefined) await takeSteps(engine)
  else if (process.env.CI === undefined) console.log(`${engine.name} is left out: ${lack}`)
  else report(engine, 'it is there', Date.now(), new Error(lack))
}
site.close()
console.log(`${passed} passed, ${failed} failed`)
process.exitCode = failed > 0 || passed === 0 ? 1 : 0

/** Takes all steps in one tab of a browser, and goes on after one that fails. */
async function takeSteps(engine: Engine): Promise<void> {
  const server = await startServer()
  let start = Date.now()
  try {
    const browser = await engine.start()
    try {
      const tab = await browser.openTab()
      report(engine, 'it starts', start)
      for (const { name, take, except } of STEPS) {
        if (except === engine.name) {
          console.log(`left out  ${engine.name}  ${name}`)
          continue
        }
        start = Date.now()
        const error = await take({
          browser,
          tab,
          server: server.address,
          site: site.address,
          slowSite: site.address.replace(SITE_PATH, SLOW_PATH),
        }).then(
          () => undefined,
          (reason: Error) => reason,
        )
        report(engine, name, start, error)
      }
    } finally {
      await browser.close()
    }
  } catch (error) {
    report(engine, 'it starts, and ends', start, error as Error)
  } finally {
    server.close()
  }
}

/** Prints a line for a step, and counts it. */
function report({ name }: Engine, step: string, start: number, error?: Error): void {
  if (error === undefined) passed += 1
  else failed += 1
  const seconds = ((Date.now() - start) / 1000).toFixed(1).padStart(5)
  console.log(`${error ? 'FAILED' : 'ok    '} ${name.padEnd(8)} ${seconds} s  ${step}`)
  if (error) console.log(`       ${error.message}`)
}

/** Starts the command with the shipped fixtures. */
async function startServer(): Promise<Served> {
  const child = spawn(process.execPath, [COMMAND, '--port', '0'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let text = ''
  for await (const chunk of child.stdout) {
    text += String(chunk)
    const [, address] = /browser +(\S+\/) /.exec(text) ?? []
    if (address !== undefined) return { address, close: () => void child.kill() }
  }
  throw new Error(`the server did not start: ${text}`)
}

/** Writes a site of the shipped fixtures, and serves its files and nothing else. */
async function serveSite(): Promise<Served> {
  const folder = mkdtempSync(join(tmpdir(), 'engines-'))
  const writing = spawn(process.execPath, [COMMAND, 'site', folder], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const [code] = await once(writing, 'exit')
  if (code !== 0) throw new Error(`materials-mock site ended with ${code}`)
  const files = createServer(async ({ url = '' }, response) => {
    const { pathname } = new URL(url, 'http://files')
    const root = [SITE_PATH, SLOW_PATH].find((each) => pathname.startsWith(each))
    const path = join(folder, pathname.slice(root?.length) || 'index.html')
    if (root === undefined || !existsSync(path)) return response.writeHead(404).end()
    if (pathname === `${SLOW_PATH}worker.js`) await setTimeout(SLOWNESS)
    const type = CONTENT_TYPES[extname(path)] ?? 'text/plain'
    return response.writeHead(200, { 'content-type': type }).end(readFileSync(path))
  })
  await once(files.listen(0, '127.0.0.1'), 'listening')
  return {
    address: `http://127.0.0.1:${(files.address() as AddressInfo).port}${SITE_PATH}`,
    close() {
      files.close()
      files.closeAllConnections()
      rmSync(folder, { recursive: true })
    },
  }
}
