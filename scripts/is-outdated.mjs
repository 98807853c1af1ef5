import { readdirSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

/** What is built, and what builds it. The time of a folder changes with the names in it. */
const SOURCES = [
  'src',
  'packages',
  'scripts',
  'package.json',
  'package-lock.json',
  'tsconfig.build.json',
]

/** When the newest of the sources was changed. It is read once, as each start asks for two bundles. */
const SOURCES_CHANGED_AT = Math.max(...SOURCES.map((path) => findLastChange(ROOT + path)))

/**
 * Whether something that is built is not there, or is older than a source. No TypeScript, so that
 * `npm start` has to load none.
 * @param {string} built the path of the file that is written last, from the root of the project
 * @param {readonly string[]} others the paths of other files and folders that it is made from
 * @returns {boolean}
 */
export function isOutdated(built, others = []) {
  const builtAt = statSync(ROOT + built, { throwIfNoEntry: false })?.mtimeMs ?? 0
  const times = others.map((path) => findLastChange(ROOT + path))
  return Math.max(SOURCES_CHANGED_AT, ...times) >= builtAt
}

/**
 * @param {string} path
 * @returns {number}
 */
function findLastChange(path) {
  const stats = statSync(path)
  if (!stats.isDirectory()) return stats.mtimeMs
  const times = readdirSync(path).map((name) => findLastChange(`${path}/${name}`))
  return Math.max(stats.mtimeMs, ...times)
}
