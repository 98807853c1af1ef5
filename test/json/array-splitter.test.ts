import fc from 'fast-check'
import t from 'tap'

import { ArraySplitter } from '../../src/json/array-splitter.js'
import { InputPath } from '../../src/json/input-path.js'

/** Splits a text that arrives in chunks of a size, and returns the texts of the elements. */
function split(text: string, chunkSize: number, maxElementBytes = 1000): string[] {
  const splitter = new ArraySplitter(new InputPath('body'), maxElementBytes)
  const bytes = Buffer.from(text)
  const elements: string[] = []
  for (let start = 0; start < bytes.length; start += chunkSize) {
    for (const element of splitter.split(bytes.subarray(start, start + chunkSize)))
      elements.push(element.toString())
  }
  splitter.finish()
  return elements
}

t.test('the elements of any array are those that JSON.parse returns', async () => {
  fc.assert(
    fc.property(
      fc.array(fc.jsonValue()),
      fc.constantFrom('', ' ', '\n\t'),
      fc.integer({ min: 1, max: 40 }),
      (values, indent, chunkSize) => {
        const text = JSON.stringify(values, undefined, indent)
        const elements = split(text, chunkSize, 1e6).map((element) => JSON.parse(element))
        return JSON.stringify(elements) === JSON.stringify(values)
      },
    ),
    { numRuns: 300 },
  )
})

t.test('white space and a byte order mark are skipped', async (t) => {
  t.same(split('\uFEFF [ 1 , "a,]" ] \n', 3), ['1 ', '"a,]" '])
  t.same(split('[\n]', 1), [])
  t.same(split('\t[\r\n\t1,\t2]\t', 1), ['1', '2'])
})

t.test('text that is not an array is refused, wherever it is cut', async (t) => {
  const cases: [text: string, message: string][] = [
    ['', 'body must be a JSON array of items'],
    ['{"a": []}', 'body must be a JSON array of items'],
    ['[1,', 'body is not JSON: it ends in or after element 2'],
    ['[1, {"a": "]', 'body is not JSON: it ends in or after element 2'],
    ['[,1]', 'body[0] is not JSON: a value is expected'],
    ['[1,]', 'body[1] is not JSON: a value is expected'],
    ['[1] 2', 'body is not JSON: there is text after the array'],
    ['[1][2]', 'body is not JSON: there is text after the array'],
    ['["aaaaaaaaaa"]', 'body[0] must have at most 10 bytes'],
  ]
  for (const [text, message] of cases)
    for (const size of [1, 2, 100]) t.throws(() => split(text, size, 10), { message }, text)
})
