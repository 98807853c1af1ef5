import t from 'tap'

import { listPatterns } from '../../tools/patterns/list-patterns.js'

const list = (text: string) => listPatterns('a.ts', text)

t.test('literals, constant texts of RegExp and patterns of schemas are listed', async (t) => {
  const patterns = list(`
    const DIGIT = '\\\\d'
    const SIGNED = \`[+-]?\${DIGIT}\`
    const found = /a|b/gi.test(text)
    const made = [new RegExp(SIGNED + '+', 'y'), RegExp(text)]
    const schema = { pattern: \`^\${DIGIT}$\` }
  `)
  t.same(
    patterns.map(({ line, regex }) => [line, regex && String(regex)]),
    [
      [4, '/a|b/gi'],
      [5, '/[+-]?\\d+/y'],
      [5, undefined],
      [6, '/^\\d$/u'],
    ],
  )
})

t.test('a comment says what bounds an input, and the function reads its length', async (t) => {
  const [unbounded, named, bounded] = list(`
    // an a
    const A = /a*$/
    const B = /b*$/ // bounded: nothing
    function test(text: string) {
      if (text.length > 10) return false
      // bounded: ten characters
      return /c*$/.test(text)
    }
  `)
  t.match(unbounded, { bounded: undefined, readsLength: false })
  t.match(named, { bounded: 'nothing', readsLength: false })
  t.match(bounded, { bounded: 'ten characters', readsLength: true })
})
