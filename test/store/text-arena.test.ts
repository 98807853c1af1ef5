import t from 'tap'

import { TextArena } from '../../src/store/text-arena.js'

t.test('texts are held one after the other, and on their own where they do not fit', (t) => {
  const memory = new TextArena(Buffer.alloc(10))
  const texts = ['abcd', 'Å日', 'x', 'yy', '', 'a long text']
  const held = texts.map((text) => memory.write(text))
  t.strictSame(held.map(String), texts)
  const together = held.filter(({ buffer }) => buffer === held[0]?.buffer)
  t.strictSame(together.map(String), ['abcd', 'Å日', 'x', ''])
  t.end()
})

t.test('without memory given, each text has its own', (t) => {
  t.strictSame(new TextArena().write('text').toString(), 'text')
  t.end()
})
