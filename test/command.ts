import { readdirSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

import { bundleCommand } from '../scripts/bundle-command.js'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

/** The file of the command, for `node`. It is bundled anew if a source is newer. */
export const COMMAND = `${ROOT}dist/cli.cjs`

const lastChange = Math.max(
  ...readdirSync(`${ROOT}src`, { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile())
    .map((each) => statSync(`${each.parentPath}/${each.name}`).mtimeMs),
)
const bundledAt = statSync(COMMAND, { throwIfNoEntry: false })?.mtimeMs ?? 0
if (bundledAt < lastChange) await bundleCommand()
