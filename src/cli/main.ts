import { CatalogueError } from '../errors.js'
import { readPackageVersion } from '../package.js'
import { printMessage } from './command.js'
import { COMMANDS, findCommandName, helpText, parseCommand } from './commands.js'

const [, , ...argv] = process.argv

// A command continues without its output if the disk is full or no process reads the pipe.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)

// A parent that holds a channel open does not keep a process that has nothing left to do.
process.channel?.unref()

main().catch((error: unknown) => {
  if (!(error instanceof CatalogueError)) throw error
  printMessage(error.message)
  process.exitCode = COMMANDS[findCommandName(argv[0] ?? '')]?.unusableCode ?? 1
})

async function main(): Promise<void> {
  const { kind, options } = parseCommand(argv, process.env)
  if (kind === 'help') return console.log(helpText(String(options)))
  if (kind === 'version') return console.log(readPackageVersion())
  const { run } = COMMANDS[kind]!
  process.exitCode = (await run(options, process.env)) ? 0 : 1
}
