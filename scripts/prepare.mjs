import { spawnSync } from 'node:child_process'

// npm runs this script after `npm ci` in a clone, which builds what it starts or packs, and when it
// makes a package of a dependency with a git URL, which must be built here: then this variable is
// set. Other package managers run it for such a dependency alone.
const { npm_config_user_agent: agent = 'npm/', _PACOTE_NO_PREPARE_: gitDependency } = process.env
if (gitDependency !== undefined || !agent.startsWith('npm/'))
  process.exitCode = spawnSync('npm run build', { shell: true, stdio: 'inherit' }).status ?? 1
