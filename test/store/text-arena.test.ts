import t from 'tap'

import { TextArena } from '../../src/store/text-arena.js'

t.test('texts are written one after the other; one that does not fit gets its own buffer', (t) => {
  const arena = new TextArena(Buffer.alloc(10))
  const texts = ['abcd', 'Å日', 'x', 'yy', '', 'a long text']
  const buffers = texts.map((text) => arena.write(text))
  t.strictSame(buffers.map(String), texts)
  const shared = buffers.filter(({ buffer }) => buffer === buffers[0]?.buffer)
  t.strictSame(shared.map(String), ['abcd', 'Å日', 'x', ''])
  t.end()
})

t.test('without memory, each text gets its own buffer', (t) => {
  t.strictSame(new TextArena().write('text').toString(), 'text')
  t.end()
})
