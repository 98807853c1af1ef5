#!/usr/bin/env node
import { fileURLToPath } from 'node:url'

import { compiledScript, runScript } from './compiled-script.js'

/** What the package's bin is: it runs the bundle of `cli.ts`, which is beside it. */

const command = fileURLToPath(new URL('command.cjs', import.meta.url))

runScript(compiledScript(command), command)
