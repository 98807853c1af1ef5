import t from 'tap'

import { Accounts } from '../../../src/store/sign-in/accounts.js'
import { MAX_SESSIONS, Sessions } from '../../../src/store/sign-in/sessions.js'
import { replace } from '../../helpers/replace.js'

const ACCOUNTS = new Accounts([
  { _id: 'a', username: 'ann', password: 'x', tokens: ['preferences-token'] },
  { _id: 'b', username: 'bob', password: 'y' },
])

t.test('each session has its own token, which is valid for its account only', async (t) => {
  const sessions = new Sessions(ACCOUNTS, undefined)
  const [first, second] = [sessions.open('a'), sessions.open('a')]
  t.not(first, second)
  t.match(first, /^[\w-]{43}$/)
  t.ok(sessions.isValid('a', first))
  t.notOk(sessions.isValid('b', first))
  t.notOk(sessions.isValid('a', `${first}x`))
  sessions.close(first)
  t.notOk(sessions.isValid('a', first))
  t.ok(sessions.isValid('a', second))
})

t.test(
  'a preferences token is valid without a login until it is closed, and again after a reset',
  async (t) => {
    const sessions = new Sessions(ACCOUNTS, undefined)
    t.ok(sessions.isValid('a', 'preferences-token'))
    t.notOk(sessions.isValid('b', 'preferences-token'))
    sessions.close('preferences-token')
    t.notOk(sessions.isValid('a', 'preferences-token'))
    const token = sessions.open('a')
    sessions.reset(ACCOUNTS)
    t.ok(sessions.isValid('a', 'preferences-token'))
    t.notOk(sessions.isValid('a', token))
  },
)

t.test('the oldest session ends when there are too many', async (t) => {
  const sessions = new Sessions(ACCOUNTS, undefined)
  const oldest = sessions.open('a')
  const next = sessions.open('a')
  for (let count = 2; count <= MAX_SESSIONS; count += 1) sessions.open('b')
  t.notOk(sessions.isValid('a', oldest))
  t.ok(sessions.isValid('a', next))
  t.ok(sessions.isValid('a', 'preferences-token'))
})

t.test('a session ends after its time to live; a preferences token stays valid', async (t) => {
  let now = 1_000_000
  replace(t, Date, 'now', () => now)
  const sessions = new Sessions(ACCOUNTS, 60)
  const token = sessions.open('a')
  now += 59_999
  t.ok(sessions.isValid('a', token))
  now += 1
  t.notOk(sessions.isValid('a', token))
  t.ok(sessions.isValid('a', 'preferences-token'))
})

t.test('a session that has expired is not open again when the time is set back', async (t) => {
  let now = 1_000_000
  replace(t, Date, 'now', () => now)
  const sessions = new Sessions(ACCOUNTS, 60)
  const first = sessions.open('a')
  now += 30_000
  const second = sessions.open('a')
  now += 30_000
  sessions.expire()
  now -= 30_000
  t.notOk(sessions.isValid('a', first))
  t.ok(sessions.isValid('a', second))
})

t.test('saved sessions and preferences tokens are restored', async (t) => {
  const sessions = new Sessions(ACCOUNTS, undefined)
  const token = sessions.open('a')
  const saved = sessions.save()
  sessions.close(token)
  sessions.close('preferences-token')
  sessions.restore(saved)
  t.ok(sessions.isValid('a', token))
  t.ok(sessions.isValid('a', 'preferences-token'))
})

t.test('when all accounts are replaced, the sessions of those that remain stay open', async (t) => {
  const sessions = new Sessions(ACCOUNTS, undefined)
  const [ann, bob] = [sessions.open('a'), sessions.open('b')]
  const saved = sessions.save()
  sessions.close('preferences-token')
  const reloaded = new Accounts([
    { _id: 'a', username: 'ann', password: 'x', tokens: ['preferences-token', 'new'] },
    { _id: 'c', username: 'cat', password: 'z' },
  ])
  sessions.reload(reloaded)
  t.ok(sessions.isValid('a', ann))
  t.ok(sessions.isValid('a', 'new'))
  t.notOk(sessions.isValid('b', bob))
  t.notOk(sessions.isValid('a', 'preferences-token'), 'a closed token stays invalid')
  sessions.restore(saved)
  t.notOk(sessions.isValid('b', bob), 'a removed account does not get its session back')
  t.ok(sessions.isValid('a', 'preferences-token'))
  t.ok(sessions.isValid('a', 'new'), 'a token that is newer than what is restored stays valid')
  sessions.reset(reloaded)
  t.ok(sessions.isValid('a', 'preferences-token'))
})
