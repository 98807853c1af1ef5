import t from 'tap'

import { MAX_SESSIONS, Sessions } from '../../src/store/sessions.js'

const ACCOUNTS = [
  { _id: 'a', username: 'ann', password: 'x', tokens: ['preferred'] },
  { _id: 'b', username: 'bob', password: 'y' },
]

t.test('each login has a token of its own, good for its account alone', async (t) => {
  const sessions = new Sessions(ACCOUNTS, undefined)
  const [first, second] = [sessions.open('a'), sessions.open('a')]
  t.not(first, second)
  t.match(first, /^[\w-]{43}$/)
  t.ok(sessions.isOpen('a', first))
  t.notOk(sessions.isOpen('b', first))
  t.notOk(sessions.isOpen('a', `${first}x`))
  sessions.close(first)
  t.notOk(sessions.isOpen('a', first))
  t.ok(sessions.isOpen('a', second))
})

t.test(
  'a preferences token works without a login, until it is closed, and again after a reset',
  async (t) => {
    const sessions = new Sessions(ACCOUNTS, undefined)
    t.ok(sessions.isOpen('a', 'preferred'))
    t.notOk(sessions.isOpen('b', 'preferred'))
    sessions.close('preferred')
    t.notOk(sessions.isOpen('a', 'preferred'))
    const token = sessions.open('a')
    sessions.reset()
    t.ok(sessions.isOpen('a', 'preferred'))
    t.notOk(sessions.isOpen('a', token))
  },
)

t.test('the oldest session goes when there are too many', async (t) => {
  const sessions = new Sessions(ACCOUNTS, undefined)
  const oldest = sessions.open('a')
  const next = sessions.open('a')
  for (let count = 2; count <= MAX_SESSIONS; count += 1) sessions.open('b')
  t.notOk(sessions.isOpen('a', oldest))
  t.ok(sessions.isOpen('a', next))
  t.ok(sessions.isOpen('a', 'preferred'))
})

t.test('a session ends after its time to live; a preferences token stays', async (t) => {
  let now = 1_000_000
  t.intercept(Date, 'now', { value: () => now })
  const sessions = new Sessions(ACCOUNTS, 60)
  const token = sessions.open('a')
  now += 59_999
  t.ok(sessions.isOpen('a', token))
  now += 1
  t.notOk(sessions.isOpen('a', token))
  t.ok(sessions.isOpen('a', 'preferred'))
})

t.test('what was saved comes back', async (t) => {
  const sessions = new Sessions(ACCOUNTS, undefined)
  const token = sessions.open('a')
  const saved = sessions.save()
  sessions.close(token)
  sessions.close('preferred')
  sessions.restore(saved)
  t.ok(sessions.isOpen('a', token))
  t.ok(sessions.isOpen('a', 'preferred'))
})

t.test('other accounts in the place of all: who is still there goes on', async (t) => {
  const sessions = new Sessions(ACCOUNTS, undefined)
  const [ann, bob] = [sessions.open('a'), sessions.open('b')]
  const saved = sessions.save()
  sessions.close('preferred')
  sessions.reload([
    { _id: 'a', username: 'ann', password: 'x', tokens: ['preferred', 'new'] },
    { _id: 'c', username: 'cat', password: 'z' },
  ])
  t.ok(sessions.isOpen('a', ann))
  t.ok(sessions.isOpen('a', 'new'))
  t.notOk(sessions.isOpen('b', bob))
  t.notOk(sessions.isOpen('a', 'preferred'), 'a token that was ended stays so')
  sessions.restore(saved)
  t.notOk(sessions.isOpen('b', bob), 'one who is gone does not come back')
  sessions.reset()
  t.ok(sessions.isOpen('a', 'preferred'))
})
