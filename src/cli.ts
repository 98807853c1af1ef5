import closeWithGrace from 'close-with-grace'

import { buildApp } from './app.js'
import { CatalogueError } from './errors.js'
import { greeting } from './greeting.js'
import { helpText } from './help.js'
import { listen } from './listen.js'
import { parseCommand } from './options.js'
import type { Options } from './options.js'
import { packageVersion } from './package-version.js'

main().catch((error: unknown) => {
  if (!(error instanceof CatalogueError)) throw error
  console.error(`materials-mock: ${error.message}`)
  process.exitCode = 1
})

async function main(): Promise<void> {
  const command = parseCommand(process.argv.slice(2), process.env)
  if (command.kind === 'help') console.log(helpText())
  else if (command.kind === 'version') console.log(packageVersion())
  else if (command.kind === 'generate')
    await (await import('./generate.js')).generate(command.options)
  else await serve(command.options)
}

async function serve(options: Partial<Options>): Promise<void> {
  const app = await buildApp({ logLevel: process.stdout.isTTY ? 'info' : 'warn', ...options })
  const address = await listen(app)
  closeWithGrace({ delay: 5000, logger: false }, async ({ err }) => {
    if (err !== undefined) app.log.fatal(err)
    await app.close()
  })
  console.log(greeting(app, address, packageVersion()))
}
