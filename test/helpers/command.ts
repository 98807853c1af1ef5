import { fileURLToPath } from 'node:url'

import { bundleCommand } from '../../scripts/bundle-command.js'
import { isOutdated } from '../../scripts/is-outdated.mjs'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** The file of the command, for `node`. It is bundled anew if a source is newer. */
export const COMMAND = `${ROOT}dist/cli.cjs`

if (isOutdated('dist/cli.cjs')) await bundleCommand()
