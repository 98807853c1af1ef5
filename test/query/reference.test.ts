import fc from 'fast-check'
import t from 'tap'

import { compareValues } from '../../src/query/values/compare-values.js'
import { compileFields } from '../../src/query/projection/compile-fields.js'
import { compileSort } from '../../src/query/sort/compile-sort.js'
import { compileSelector } from '../../src/query/selector/compile-selector.js'
import { item, items, namedPath, path, query, value } from './arbitraries.js'
import { comparable, fieldsOf, meets, orderOfKeys, sortValues } from './reference.js'

/** A bound on the time of each comparison, in milliseconds; most end before by their number. */
const bounded = { interruptAfterTimeLimit: 8000, markInterruptAsFailure: false }

t.test('the engine matches what the reference matches', async () => {
  fc.assert(
    fc.property(items, query, (documents, condition) => {
      const selector = compileSelector(condition)
      return documents.every(
        (document) => selector.matches(document) === meets(document, condition),
      )
    }),
    { numRuns: 30_000, ...bounded },
  )
})

t.test('two values are in the order of the reference', async () => {
  fc.assert(
    fc.property(value, value, (a, b) => {
      const expected = orderOfKeys(comparable(a), comparable(b))
      return Math.sign(compareValues(a, b)) === Math.sign(expected)
    }),
    { numRuns: 20_000, ...bounded },
  )
})

t.test('strings are in the order of their UTF-8 bytes', async () => {
  const text = fc.string({ unit: 'binary' })
  fc.assert(
    fc.property(text, text, (a, b) => {
      const bytes = Buffer.compare(Buffer.from(a), Buffer.from(b))
      return Math.sign(compareValues(a, b)) === bytes
    }),
    { numRuns: 5000, ...bounded },
  )
})

t.test('the key of an item is the least or greatest of its values', async () => {
  fc.assert(
    fc.property(item, namedPath, fc.constantFrom(1, -1), (document, sorted, direction) => {
      const keys = sortValues(document, sorted.split('.')).map(comparable)
      const ordered = keys.toSorted((a, b) => orderOfKeys(a, b) * direction)
      const key = compileSort({ [sorted]: direction })?.extractKey(document)[0]
      return orderOfKeys(comparable(key), ordered[0] ?? []) === 0
    }),
    { numRuns: 10_000, ...bounded },
  )
})

t.test('fields leave what the reference leaves', async () => {
  fc.assert(
    fc.property(
      item,
      fc.uniqueArray(path, { minLength: 1 }),
      fc.boolean(),
      (document, some, on) => {
        const paths = some.filter((one) => !some.some((other) => one.startsWith(`${other}.`)))
        const fields = Object.fromEntries(paths.map((one) => [one, on ? 1 : 0]))
        const left = compileFields(fields)?.(document)
        return JSON.stringify(left) === JSON.stringify(fieldsOf(document, paths, on))
      },
    ),
    { numRuns: 10_000, ...bounded },
  )
})
