import fc from 'fast-check'
import t from 'tap'

import { compileFields } from '../src/projection/compile-fields.js'
import { compileSelector } from '../src/selector/compile-selector.js'
import { compileSort } from '../src/sort/compile-sort.js'
import { compareValues } from '../src/values/compare-values.js'
import { anyItem, anyItems, anyNamedPath, anyPath, anyQuery, anyValue } from './arbitraries.js'
import { findPosition } from './reference-position.js'
import { compareKeys, matches, projectFields, sortValues, toKey } from './reference.js'

t.test('the engine matches what the reference matches', async () => {
  fc.assert(
    fc.property(anyItems, anyQuery, (items, query) => {
      const selector = compileSelector(query)
      return items.every((item) => selector.matches(item) === matches(item, query))
    }),
    { numRuns: 30_000 },
  )
})

t.test('the engine finds the array position that the reference finds', async () => {
  fc.assert(
    fc.property(anyItems, anyQuery, (items, query) => {
      const selector = compileSelector(query)
      return items.every(
        (item) =>
          !matches(item, query) || selector.findArrayPosition(item) === findPosition(item, query),
      )
    }),
    { numRuns: 30_000 },
  )
})

t.test('the engine compares values as the reference does', async () => {
  fc.assert(
    fc.property(anyValue, anyValue, (a, b) => {
      const expected = compareKeys(toKey(a), toKey(b))
      return Math.sign(compareValues(a, b)) === Math.sign(expected)
    }),
    { numRuns: 20_000 },
  )
})

t.test('the engine compares strings by their UTF-8 bytes', async () => {
  const text = fc.string({ unit: 'binary' })
  fc.assert(
    fc.property(text, text, (a, b) => {
      const bytes = Buffer.compare(Buffer.from(a), Buffer.from(b))
      return Math.sign(compareValues(a, b)) === bytes
    }),
    { numRuns: 2000 },
  )
})

t.test('the sort key of an item is the least or greatest of its values', async () => {
  fc.assert(
    fc.property(anyItem, anyNamedPath, fc.constantFrom(1, -1), (item, path, direction) => {
      const keys = sortValues(item, path.split('.')).map(toKey)
      const sorted = keys.toSorted((a, b) => compareKeys(a, b) * direction)
      const key = compileSort({ [path]: direction })?.extractKey(item)[0]
      return compareKeys(toKey(key), sorted[0] ?? []) === 0
    }),
    { numRuns: 10_000 },
  )
})

t.test('the engine projects the same fields as the reference', async () => {
  fc.assert(
    fc.property(
      anyItem,
      fc.uniqueArray(anyPath, { minLength: 1 }),
      fc.boolean(),
      (item, all, isInclusion) => {
        const paths = all.filter((path) => !all.some((other) => path.startsWith(`${other}.`)))
        const fields = Object.fromEntries(paths.map((path) => [path, isInclusion ? 1 : 0]))
        const projected = compileFields(fields)(item)
        const expected = projectFields(item, paths, isInclusion)
        return JSON.stringify(projected) === JSON.stringify(expected)
      },
    ),
    { numRuns: 10_000 },
  )
})
