import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { listPatterns } from './list-patterns.js'

/** The result of recheck, as far as it is read. */
interface Verdict {
  readonly status: 'safe' | 'vulnerable' | 'unknown'
  readonly checker?: 'automaton' | 'fuzz'
  readonly complexity?: { readonly summary: string }
}

const { checkSync } = createRequire(import.meta.url)('recheck') as {
  checkSync(source: string, flags: string, parameters: object): Verdict
}

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** What recheck has said of each pattern. It goes with recheck's own folder, so a new version checks all anew. */
const KEPT = fileURLToPath(new URL('node_modules/verdicts.json', import.meta.url))

const kept: Record<string, string> = existsSync(KEPT) ? JSON.parse(readFileSync(KEPT, 'utf8')) : {}

/** Says how the time of a pattern grows with its input: `linear`, or what recheck says. */
function check({ source, flags }: RegExp): string {
  // The flags that change nothing of the time, and some of which recheck does not know.
  const read = flags.replace(/[dgv]/g, '')
  return (kept[`/${source}/${read}`] ??= checkAnew(source, read))
}

/** No step ends by time, which depends on what else the machine does; each has a limit of its own. */
const WITHOUT_CLOCK = {
  timeout: null,
  attackTimeout: null,
  incubationTimeout: null,
  recallTimeout: null,
  seedingTimeout: null,
}

/**
 * Asks recheck. What its automata can't read, it tries on texts at random: twice, by both of its ways to
 * begin, and with the same numbers at each run.
 */
function checkAnew(source: string, flags: string): string {
  for (const seeder of ['static', 'dynamic'] as const) {
    const parameters = { seeder, randomSeed: 1, ...WITHOUT_CLOCK }
    const { status, checker, complexity } = checkSync(source, flags, parameters)
    if (status !== 'safe') return complexity?.summary ?? status
    if (checker === 'automaton') break
  }
  return 'linear'
}

const problems: string[] = []
let count = 0
const files = [
  'src',
  ...readdirSync(join(ROOT, 'packages')).map((name) => `packages/${name}/src`),
].flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((name) =>
    join(folder, name),
  ),
)
for (const name of files.toSorted()) {
  if (!/\.tsx?$/.test(name)) continue
  for (const { file, line, regex, bounded, readsLength } of listPatterns(join(ROOT, name))) {
    count += 1
    const verdict = regex === undefined ? 'not constant' : check(regex)
    const place = `${file.slice(ROOT.length)}:${line}: ${regex ?? 'a RegExp'}`
    if (verdict === 'linear' || verdict === 'safe') {
      if (bounded !== undefined) problems.push(`${place} is linear: its comment is needless`)
    } else if (bounded === undefined) {
      problems.push(`${place} is ${verdict}: write \`// bounded: …\` beside it, or another pattern`)
    } else if (regex !== undefined && !readsLength) {
      problems.push(`${place} is ${verdict}: the function around it bounds no length`)
    }
  }
}
writeFileSync(KEPT, JSON.stringify(kept))
console.log([...problems, `${count} patterns, ${problems.length} problems`].join('\n'))
if (problems.length > 0) process.exitCode = 1
