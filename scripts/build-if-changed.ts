import { spawnSync } from 'node:child_process'
import { readdirSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

// Runs `npm run build`, unless it ran after the last change of what it reads.

const ROOT = fileURLToPath(new URL('..', import.meta.url))

/** What a build writes last. */
const BUILT = 'dist/licenses.txt'

const sources = ['src', 'scripts', 'fixtures'].flatMap((folder) =>
  readdirSync(ROOT + folder, { recursive: true, encoding: 'utf8' }).map(
    (file) => `${folder}/${file}`,
  ),
)
const others = [
  'package.json',
  'package-lock.json',
  'tsconfig.build.json',
  'docs/client.md',
  'LICENSE',
]
const changes = [...others, ...sources].map((file) => statSync(ROOT + file).mtimeMs)
const builtAt = statSync(ROOT + BUILT, { throwIfNoEntry: false })?.mtimeMs ?? 0
if (builtAt <= Math.max(...changes)) {
  const { status } = spawnSync('npm run build', { shell: true, cwd: ROOT, stdio: 'inherit' })
  process.exitCode = status ?? 1
}
