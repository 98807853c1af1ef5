import t from 'tap'

import { Answers } from '../../src/store/answers.js'
import { BASE, build, listUrl, send } from '../build.js'

t.test('what is asked twice is kept, as long as there is room', async (t) => {
  const answers = new Answers(20)
  const set = (key: string, text: string): void => answers.set(key, Buffer.from(text))
  const get = (key: string) => answers.get(key)?.toString()
  // What came first is forgotten now and then, but not after each time.
  const keep = (key: string, text: string): void => {
    for (let time = 0; time < 3; time += 1) set(key, text)
  }
  set('a', 'aaaa')
  t.equal(get('a'), undefined, 'asked once')
  set('a', 'aaaa')
  t.equal(get('a'), 'aaaa')
  for (const key of 'bcde') keep(key, 'text')
  t.equal(get('a'), undefined, 'the least recently used goes')
  t.equal(get('e'), 'text')
  keep('f', 'more than ten')
  t.equal(get('f'), undefined, 'too large')
})

t.test('what is kept is a copy', async (t) => {
  const answers = new Answers(20)
  const body = Buffer.from('aaaa')
  for (let time = 0; time < 2; time += 1) answers.set('a', body)
  body.fill('b')
  t.equal(answers.get('a')?.toString(), 'aaaa')
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
