import t from 'tap'

import { Answers } from '../../src/store/answers.js'
import { BASE, build, listUrl, send } from '../build.js'

t.test('what is asked twice is kept for its version, as long as there is room', async (t) => {
  const answers = new Answers(20)
  const set = (key: string, version: number, text: string): void =>
    answers.set(key, version, Buffer.from(text))
  const get = (key: string, version: number) => answers.get(key, version)?.toString()
  // What came first is forgotten now and then, but not after each time.
  const keep = (key: string, version: number, text: string): void => {
    for (let time = 0; time < 3; time += 1) set(key, version, text)
  }
  set('a', 1, 'aaaa')
  t.equal(get('a', 1), undefined, 'asked once')
  set('a', 1, 'aaaa')
  t.equal(get('a', 1), 'aaaa')
  t.equal(get('a', 2), undefined, 'of another version')
  t.equal(get('a', 1), undefined, 'and then it is gone')
  set('a', 2, 'AAAA')
  t.equal(get('a', 2), 'AAAA', 'what was asked twice before a write is kept at once')
  for (const key of 'bcde') keep(key, 1, 'text')
  t.equal(get('a', 2), undefined, 'the least recently used goes')
  t.equal(get('e', 1), 'text')
  keep('f', 1, 'more than ten')
  t.equal(get('f', 1), undefined, 'too large')
})

t.test(
  'the same read is answered the same until a write, for each account on its own',
  async (t) => {
    const app = await build(t, {
      fixtures: {
        accounts: ['ann', 'bob'].map((_id) => ({
          _id,
          username: _id,
          password: 'x',
          tokens: [`${_id}-token`],
        })),
        materials: [{ _id: 'm', owner: { _id: 'ann' } }, { _id: 'n' }],
      },
    })
    const collection = app.store.collections.get('materials')
    const read = async (account: string, url: string) =>
      (
        await send(app, url, {
          headers: { 'x-account-id': account, 'x-auth-token': `${account}-token` },
        })
      ).payload
    const url = listUrl('materials', {}, { fields: { _id: 1 } })
    for (let time = 0; time < 3; time += 1) {
      t.equal(await read('ann', url), '{"status":"success","data":[{"_id":"m"},{"_id":"n"}]}')
      t.equal(await read('bob', url), '{"status":"success","data":[{"_id":"n"}]}')
      t.match(await read('bob', '/materials/m'), '"ITEM_NOT_FOUND"')
    }
    const entry = collection?.findById('m', () => true)
    if (entry !== undefined) collection?.remove(entry)
    t.equal(await read('ann', url), '{"status":"success","data":[{"_id":"n"}]}')
    t.match(await read('ann', '/materials/m'), '"ITEM_NOT_FOUND"')
    t.equal((await app.inject({ url: BASE + url })).statusCode, 401, 'and only behind auth')
  },
)
