import { readFileSync } from 'node:fs'

import t from 'tap'

import { GENERATORS, PICTURES, RELEASE_CHECKS } from '../../scripts/release-checks.js'

const read = (path: string): string =>
  readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')

const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }

/** Scripts that npm runs by itself, at an installation and before it packs, and the release, whose test runs it. */
const OTHERS = ['prepare', 'prepack', 'release']

/** Returns the scripts that a text runs by npm. */
const findCalls = (text: string): string[] => [
  ...[...text.matchAll(/\bnpm run ([\w:]+)/g)].map(([, script = '']) => script),
  ...[...text.matchAll(/\bnpm (test|start)\b/g)].map(([, script = '']) => script),
  ...[...text.matchAll(/^scripts='(.*)'$/gm)].flatMap(([, list = '']) => list.split(' ')),
]

/** Returns the scripts with those that run before them, and those that their commands run. */
function addCalled(names: readonly string[]): Set<string> {
  const found = new Set(names)
  for (const name of found) {
    for (const each of [name, `pre${name}`]) {
      const command = scripts[each]
      if (command === undefined) continue
      found.add(each)
      findCalls(command).forEach((called) => found.add(called))
    }
  }
  return found
}

t.test('every script is run before a change lands, or before a release', (t) => {
  const landing = findCalls(read('.ci/run').replaceAll(/^ *#.*/gm, ''))
  const release = [...GENERATORS, ...RELEASE_CHECKS, PICTURES].map(([script]) => script)
  const run = addCalled([...landing, ...release, ...OTHERS])
  t.same(
    Object.keys(scripts).filter((name) => !run.has(name)),
    [],
    'no script is forgotten',
  )
  t.same(
    [...run].filter((name) => scripts[name] === undefined),
    [],
    'no script that is run is missing',
  )
  t.same(
    release.filter((name) => landing.includes(name)),
    [],
    'none is run twice',
  )
  t.end()
})
