import fc from 'fast-check'
import t from 'tap'

import { compilePathGlob } from '../../src/controls/path-glob.js'
import { BASE, build } from '../helpers/build.js'

t.test('a pattern matches the paths that it describes', async (t) => {
  const cases: [pattern: string, path: string, isMatch: boolean][] = [
    ['/api/2018-10-01/materials', '/api/2018-10-01/materials', true],
    ['/api/2018-10-01/materials', '/api/2018-10-01/materials/m1', false],
    ['/api/2018-10-01/materials/', '/api/2018-10-01/materials', true],
    ['/api/*/materials', '/api/2018-10-01/materials', true],
    ['/api/*/materials', '/api/materials', false],
    ['/api/*/materials', '/api/a/b/materials', false],
    ['/api/*/mat*', '/api/a/materials', true],
    ['/api/*/mat*', '/api/a/materials/m1', false],
    ['/api/**/materials', '/api/materials', true],
    ['/api/**/materials', '/api/a/b/materials', true],
    ['/api/**/materials', '/api/a/b/xmaterials', false],
    ['/api/**', '/api/a/b', true],
    ['**/m1', '/api/a/m1', true],
    ['/api/**/m*', '/api/a/m1/basis', false],
    ['/api/a.b', '/api/aXb', false],
    ['/api/(a|b)', '/api/a', false],
    ['/api/**constructor', '/api/x/constructor', true],
    ['/ab*b', '/ab', false],
    ['/ab*b', '/abb', true],
    ['/a*b*c', '/acb', false],
  ]
  for (const [pattern, path, isMatch] of cases)
    t.equal(compilePathGlob(pattern).matches(path), isMatch, `${pattern} and ${path}`)
})

t.test('a pattern matches the same paths as a simple matcher', async () => {
  fc.assert(
    fc.property(
      joined(['a', '.', '/', '*', '/**', '**']),
      joined(['a', 'b', '.', '/']),
      (end, path) => {
        const pattern = `/a${end}`
        return (
          compilePathGlob(pattern).matches(`/a${path}`) === matchesGlob(trim(pattern), `/a${path}`)
        )
      },
    ),
    { numRuns: 5000 },
  )
})

t.test('many wildcards', async (t) => {
  const path = `/api/${'a'.repeat(1000)}`
  for (const pattern of ['/api/*a*a*a*b', `/api${'/**/a'.repeat(190)}/b`, '/api/**a*a*a*b*c'])
    t.equal(compilePathGlob(pattern).matches(path), false, pattern.slice(0, 30))
  t.ok(compilePathGlob(`/api/${'*a'.repeat(400)}*b`).matches(`/api/${'a'.repeat(1000)}b`))
})

t.test('whether a pattern can match the template of a route', async (t) => {
  const cases: [pattern: string, template: string, canMatch: boolean][] = [
    ['/a/b', '/a/b', true],
    ['/a/b', '/a/c', false],
    ['/a/b', '/a/:id', true],
    ['/a/b/c', '/a/:id', false],
    ['/a/b/', '/a/:id', true],
    ['/a/*', '/a/:id', true],
    ['/*/x', '/a/:id', true],
    ['/*/x', '/a/:id/y', false],
    ['/a*c', '/ab/c', false],
    ['/a**c', '/ab/:id', true],
    ['/a/**/c', '/a/c', true],
    ['/a/**/c', '/a/:id/:name', true],
    ['/a/**/c', '/a/:id/d', false],
    ['/a/b/**/c', '/a/*', true],
    ['/a/b/c', '/a/*', true],
    ['/b/c', '/a/*', false],
    ['**', '/a/:id', true],
    ['**x', '/a/:id', true],
    ['**x', '/a/b', false],
  ]
  for (const [pattern, template, canMatch] of cases)
    t.equal(compilePathGlob(pattern).canMatch(template), canMatch, `${pattern} and ${template}`)
})

t.test('a server with such a rule answers a long path', async (t) => {
  const app = await build(t, { fixtures: { materials: [] } })
  app.controls.faults.add({ path: `/api/${'*a'.repeat(100)}*b`, force: true, status: 503 })
  app.controls.faults.add({ path: '/api/**/*a*a*a*a*a*b', status: 500 })
  const response = await app.inject(`${BASE}/${'a'.repeat(100_000)}`)
  t.equal(response.statusCode, 404)
})

/** Strings of up to eight of these pieces. */
const joined = (pieces: string[]) =>
  fc.array(fc.constantFrom(...pieces), { maxLength: 8 }).map((parts) => parts.join(''))

/** Matches like `compilePathGlob`, by trying all ways character by character. */
function matchesGlob(pattern: string, path: string): boolean {
  if (pattern === '') return path === ''
  const anyEnd = Array.from({ length: path.length + 1 }, (_, index) => index)
  if (/^\/\*\*(?=\/)/.test(pattern)) {
    return anyEnd.some(
      (end) =>
        (end === 0 || path.startsWith('/')) &&
        (end === path.length || path[end] === '/') &&
        matchesGlob(pattern.slice(3), path.slice(end)),
    )
  }
  if (pattern.startsWith('**'))
    return anyEnd.some((end) => matchesGlob(pattern.slice(2), path.slice(end)))
  if (pattern.startsWith('*')) {
    return anyEnd.some(
      (end) => !path.slice(0, end).includes('/') && matchesGlob(pattern.slice(1), path.slice(end)),
    )
  }
  return pattern[0] === path[0] && matchesGlob(pattern.slice(1), path.slice(1))
}

const trim = (pattern: string): string => pattern.replace(/(.)\/$/, '$1')
