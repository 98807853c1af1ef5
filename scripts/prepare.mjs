import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

// npm runs this script after `npm ci` in a clone, which builds what it starts or packs, and when it
// makes a package of a dependency with a git URL, which must be built here: then this variable is
// set. Other package managers run it for such a dependency alone. In a clone, only the types that
// the client shares with the schemas are made, which editors and `tsc` read.
const { npm_config_user_agent: agent = 'npm/', _PACOTE_NO_PREPARE_: gitDependency } = process.env
const isDependency = gitDependency !== undefined || !agent.startsWith('npm/')
const script = isDependency ? 'build' : existsSync('node_modules/tsx') ? 'client:items' : undefined
if (script !== undefined)
  process.exitCode = spawnSync(`npm run ${script}`, { shell: true, stdio: 'inherit' }).status ?? 1
