import { CatalogueError } from '../errors.js'
import { readPackageVersion } from '../package.js'
import { helpText } from './help.js'
import { parseCommand } from './parse-command.js'
import { serve } from './serve.js'

main().catch((error: unknown) => {
  if (!(error instanceof CatalogueError)) throw error
  console.error(`materials-mock: ${error.message}`)
  // check and diff end with 1 if something does not hold, so that 2 says that they could not be run.
  process.exitCode = ['check', 'diff'].includes(process.argv[2] ?? '') ? 2 : 1
})

/** Runs the command line of this process. */
async function main(): Promise<void> {
  const command = parseCommand(process.argv.slice(2), process.env)
  switch (command.kind) {
    case 'help':
      return console.log(helpText())
    case 'version':
      return console.log(readPackageVersion())
    case 'serve':
      return serve(command.options)
    case 'generate':
      return (await import('./generate.js')).generate(command.options)
    case 'check': {
      const { check } = await import('./check/check.js')
      process.exitCode = (await check(command.options, process.env)) ? 0 : 1
      return
    }
    case 'record': {
      const { record } = await import('./record/record.js')
      process.exitCode = (await record(command.options)) ? 0 : 1
      return
    }
    case 'diff': {
      const { diff } = await import('./diff/diff.js')
      process.exitCode = (await diff(command.options)) ? 0 : 1
    }
  }
}
