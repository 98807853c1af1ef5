import fc from 'fast-check'
import t from 'tap'

import { createSecretFilter } from '../src/secret-filter.js'

/** What the filter does, one secret after the other. */
function hideOneByOne(text: string, secrets: readonly string[]): string {
  if (text !== '' && secrets.includes(text)) return '***'
  const forms = secrets
    .filter(({ length }) => length >= 8)
    .flatMap((secret) => [secret, encodeURIComponent(secret)])
    .toSorted((one, other) => other.length - one.length)
  let visible = ''
  for (let at = 0; at < text.length;) {
    const found = forms.find((form) => text.startsWith(form, at))
    visible += found === undefined ? text[at] : '***'
    at += found?.length ?? 1
  }
  return visible
}

t.test('all secrets are hidden at once, the longest where several begin', async (t) => {
  const letter = fc.constantFrom('a', 'b', '/', 'é')
  const secret = fc.string({ unit: letter, maxLength: 14 })
  const part = fc.oneof(secret, fc.nat({ max: 9 }))
  fc.assert(
    fc.property(fc.array(secret, { maxLength: 12 }), fc.array(part), (secrets, parts) => {
      const text = parts
        .map((each) => (typeof each === 'string' ? each : (secrets[each] ?? '')))
        .join('')
      t.equal(createSecretFilter(secrets)(text), hideOneByOne(text, secrets))
    }),
  )
})

t.test('the start of a long secret is hidden, and all of it with its blanks', async (t) => {
  const long = `${'0123456789'.repeat(7)} and a blank`
  const hide = createSecretFilter([long, `${long}, and more`, 'half a pair \ud800'])
  const cases: [text: string, hidden: string][] = [
    [`see ${long}.`, 'see ***.'],
    [`see ${long}, and more.`, 'see ***.'],
    [`see ${long.slice(0, 66)}…`, 'see ***…'],
    [`see ${long.slice(0, 60)}…`, `see ${long.slice(0, 60)}…`],
    ['a half a pair \ud800', 'a ***'],
  ]
  for (const [text, hidden] of cases) t.equal(hide(text), hidden, text)
})

t.test('a text is not read once for each secret', async (t) => {
  const text = Array.from({ length: 200_000 }, (_, index) => `word-${index}`).join(' ')
  const secrets = Array.from({ length: 20_000 }, (_, index) => `word-${index}-secret`)
  const { user, system } = process.cpuUsage()
  t.equal(createSecretFilter(secrets)(`${text} word-7-secret`), `${text} ***`)
  const used = process.cpuUsage({ user, system })
  t.ok(used.user + used.system < 5_000_000, 'one by one it takes some 40 s')
})
