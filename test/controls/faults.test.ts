import fc from 'fast-check'
import t from 'tap'

import type { Fault } from '../../src/schemas/fault.js'
import { Faults } from '../../src/controls/faults.js'
import { compileGlob } from '../../src/controls/path-glob.js'

t.test('a pattern fits the paths that it describes', async (t) => {
  const cases: [pattern: string, path: string, fits: boolean][] = [
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
  ]
  for (const [pattern, path, fits] of cases)
    t.equal(compileGlob(pattern).test(path), fits, `${pattern} and ${path}`)
})

t.test('a pattern that no path as it is sent can fit is refused', async (t) => {
  for (const path of ['/api/a?b', '/api/a#b', '/api/a b', '/api/ä']) {
    t.throws(() => new Faults().add({ status: 500, path }), {
      code: 'BODY_INVALID',
      message: `percent-encoded and with nothing after a "?", not "${path}"`,
    })
  }
})

t.test('a pattern fits as a walk along it says', async () => {
  fc.assert(
    fc.property(
      text(['a', '.', '/', '*', '/**', '**']),
      text(['a', 'b', '.', '/']),
      (end, path) => {
        const pattern = `/a${end}`
        return compileGlob(pattern).test(`/a${path}`) === walk(trim(pattern), `/a${path}`)
      },
    ),
    { numRuns: 5000 },
  )
})

/** Texts of up to eight of these pieces. */
const text = (pieces: string[]) =>
  fc.array(fc.constantFrom(...pieces), { maxLength: 8 }).map((parts) => parts.join(''))

/** What `compileGlob` says, by trying all ways letter by letter. */
function walk(pattern: string, path: string): boolean {
  if (pattern === '') return path === ''
  const anyEnd = Array.from({ length: path.length + 1 }, (_, index) => index)
  if (/^\/\*\*(?=\/)/.test(pattern)) {
    return anyEnd.some(
      (end) =>
        (end === 0 || path.startsWith('/')) &&
        (end === path.length || path[end] === '/') &&
        walk(pattern.slice(3), path.slice(end)),
    )
  }
  if (pattern.startsWith('**')) return anyEnd.some((end) => walk(pattern.slice(2), path.slice(end)))
  if (pattern.startsWith('*')) {
    return anyEnd.some(
      (end) => !path.slice(0, end).includes('/') && walk(pattern.slice(1), path.slice(end)),
    )
  }
  return pattern[0] === path[0] && walk(pattern.slice(1), path.slice(1))
}

const trim = (pattern: string): string => pattern.replace(/(.)\/$/, '$1')

const LIST = { method: 'GET', path: '/api/2018-10-01/materials', accountId: 'ann' }

t.test('a rule is for the requests that fit all it names', async (t) => {
  const cases: [rule: Fault, fits: boolean][] = [
    [{}, true],
    [{ method: 'GET' }, true],
    [{ method: 'POST' }, false],
    [{ path: '/api/**' }, true],
    [{ path: '/api/**/projects' }, false],
    [{ accountId: 'ann' }, true],
    [{ accountId: 'bob' }, false],
    [{ method: 'GET', path: '/api/**', accountId: 'bob' }, false],
  ]
  for (const [rule, fits] of cases) {
    const faults = new Faults()
    faults.add({ ...rule, status: 500 })
    t.equal(faults.take(LIST) !== undefined, fits, JSON.stringify(rule))
  }
  const faults = new Faults()
  faults.add({ accountId: 'ann', status: 500 })
  t.equal(faults.take({ ...LIST, accountId: undefined }), undefined)
  t.match(faults.take({ ...LIST, path: `${LIST.path}/` }), { _id: '1' })
})

t.test('the first rule that fits wins; after and times count what fits', async (t) => {
  const faults = new Faults()
  t.ok(faults.isEmpty)
  faults.add({ method: 'POST', status: 400 })
  faults.add({ after: 2, times: 2, status: 401 })
  faults.add({ status: 500, times: 3 })
  const taken = Array.from({ length: 6 }, () => faults.take(LIST)?.status)
  t.same(taken, [500, 500, 401, 401, 500, undefined])
  t.same(faults.list(), [{ _id: '1', method: 'POST', status: 400, matchCount: 0 }])
  faults.remove('1')
  t.throws(() => faults.remove('1'), { code: 'FAULT_NOT_FOUND', message: /"1"/ })
  t.ok(faults.isEmpty)
})
