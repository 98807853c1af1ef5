import t from 'tap'

import { runToEnd } from '@materials-mock/work'
import type { Json } from '../src/json.js'
import { createRedactor } from '../src/redact-items.js'
import { redactForm, redactHeaders, redactSecrets, redactUrl } from '../src/redact.js'

t.test('the values of secret keys are redacted, whatever form the key has', async (t) => {
  const cases: [value: Json, redacted: Json][] = [
    [{ password: 'hunter2' }, { password: '***' }],
    [{ 'password[]': 'hunter2' }, { 'password[]': '***' }],
    [{ 'user[password]': 'hunter2' }, { 'user[password]': '***' }],
    [{ $set: { 'login.Password': 'hunter2' } }, { $set: { 'login.Password': '***' } }],
    [{ password: { $in: ['hunter2'] } }, { password: '***' }],
    [[{ passwd: 'hunter2', api_key: 'hunter2' }], [{ passwd: '***', api_key: '***' }]],
    [
      { authToken: 5, 'X-Auth-Token': 'hunter2' },
      { authToken: '***', 'X-Auth-Token': '***' },
    ],
    [
      { jwt: 'hunter2', sid: 'hunter2', 'X-Csrf': 'hunter2', privateKey: 'hunter2' },
      { jwt: '***', sid: '***', 'X-Csrf': '***', privateKey: '***' },
    ],
    [
      { code: 404, key: 'ann/a.txt', side: 'left' },
      { code: 404, key: 'ann/a.txt', side: 'left' },
    ],
    [{ '{"password": "hunter2"}': '' }, { '{"password***': '***' }],
    [
      { formula: 'Si', list: [1, null, true] },
      { formula: 'Si', list: [1, null, true] },
    ],
    [JSON.parse('{"__proto__": 1}'), JSON.parse('{"__proto__": 1}')],
  ]
  for (const [value, redacted] of cases)
    t.same(redactSecrets(value), redacted, JSON.stringify(value))
})

t.test('a text loses everything after a secret word', async (t) => {
  const secrets = [
    '{"password": "hunter2"',
    'password=hunter2',
    'pass%77ord=hunter2',
    'Content-Disposition: form-data; name="password"\r\n\r\nhunter2',
    'Authorization: Basic hunter2',
    'Bearer hunter2',
    'http://demo:hunter2@localhost/',
    'http://demo:p@hunter2@localhost/',
  ]
  for (const text of secrets) {
    const redacted = [text, { note: text }, [[text]], { [text]: 1 }].map((each) =>
      JSON.stringify(redactSecrets(each)),
    )
    for (const each of redacted) {
      t.match(each, '***', JSON.stringify(text))
      t.notMatch(each, 'hunter2', JSON.stringify(text))
    }
  }
})

t.test('a text without a secret stays as it is', async (t) => {
  for (const text of ['Si', 'a%20b\\u0041', '// c@d', 'token', 'x@example.org', ''])
    t.equal(redactSecrets(text), text)
})

t.test('a URL and a header lose what is assigned to a secret name', async (t) => {
  const cases: [url: string, redacted: string][] = [
    ['/login?password=hunter2&a=1', '/login?password=***'],
    ['/login?a=1&user%5Bpassword%5D=hunter2', '/login?a=1&user[password]=***'],
    ['/m?query=%7B%22password%22%3A%22hunter2%22%7D', '/m?query={"password":***'],
    ['/login%3Ftoken%3Dhunter2', '/login?token=***'],
    ['/a?jwt=hunter2', '/a?jwt=***'],
    ['/a?b=1&sid=hunter2', '/a?b=1&sid=***'],
    ['/a?key=hunter2', '/a?key=***'],
    ['/callback?code=hunter2&state=1', '/callback?code=***'],
    ['/a?side=left&monkey=1&postcode=2', '/a?side=left&monkey=1&postcode=2'],
    ['http://demo:hunter2@x/m', 'http://***@x/m'],
    ['/reset-password', '/reset-password'],
    ['/tokens/5?query=%7B%22a%22%3A1%7D', '/tokens/5?query=%7B%22a%22%3A1%7D'],
  ]
  for (const [url, redacted] of cases) t.equal(redactUrl(url), redacted)
  const headers = {
    host: 'localhost',
    'access-control-request-headers': 'x-account-id,x-auth-token',
    referer: 'http://localhost/?token=hunter2',
    authorization: 'Basic hunter2',
    'x-api-key': 'hunter2',
    'x-csrf': 'hunter2',
    'x-forwarded': 'Bearer hunter2',
    cookie: 'a=hunter2',
  }
  t.same(redactHeaders(headers), {
    ...headers,
    referer: 'http://localhost/?token=***',
    authorization: '***',
    'x-api-key': '***',
    'x-csrf': '***',
    'x-forwarded': 'Bearer ***',
    cookie: '***',
  })
})

t.test('a form loses its codes and keys, too', async (t) => {
  t.same(
    redactForm('grant_type=device&code=hunter2&key=hunter2&sid=hunter2&user%5Bpassword%5D=x&a=1'),
    {
      grant_type: 'device',
      code: '***',
      key: '***',
      sid: '***',
      'user[password]': '***',
      a: '1',
    },
  )
})

t.test('the items of a recording lose the same secrets', async (t) => {
  const redact = createRedactor([], [])
  const item = {
    _id: 'm1',
    jwt: 'hunter2',
    sid: 'hunter2',
    'X-Csrf': 'hunter2',
    url: 'http://a/b?key=hunter2&sid=hunter2&code=hunter2&jwt=hunter2&page=1',
  }
  t.same(runToEnd(redact(item)), {
    _id: 'm1',
    jwt: '***',
    sid: '***',
    'X-Csrf': '***',
    url: 'http://a/b?key=***&sid=***&code=***&jwt=***&page=1',
  })
})

t.test('a large item is redacted in steps', async (t) => {
  const redact = createRedactor([], ['a-secret-of-a-cookie'])
  const values = Array.from({ length: 50_000 }, (_, index) => ({ index, text: 'a' }))
  const steps = [...redact({ _id: 'a', values })].length
  t.ok(steps > 100, `${steps} steps`)
})

t.test('a text of 1 MiB is redacted in linear time', async (t) => {
  const units = ['\\', '%', '%25', '&#0', '//a', 'password', 'pass', '\\u00', '@', '//@a']
  for (const unit of units) {
    const text = unit.repeat(2 ** 20 / unit.length)
    // A quadratic time would be hours.
    t.type(redactSecrets(text), 'string', unit)
    t.type(redactUrl(text), 'string', unit)
  }
})
