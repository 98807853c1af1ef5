import t from 'tap'

import type { JsonObject } from '@materials-mock/json'
import { parseFields } from '../src/projection/parse-fields.js'

const REFUSED: readonly (readonly [fields: JsonObject, message: string])[] = [
  [{ a: 1, b: 0 }, 'projection.fields.b must not exclude a field where another is included'],
  [{ a: 0, b: 1 }, 'projection.fields.b must not include a field where another is excluded'],
  [{ a: 0, b: { c: true } }, 'projection.fields.b.c must not include a field where another is excluded'],
  [{ a: 0, b: '$c' }, 'projection.fields.b must not be computed where another field is excluded'],
  [{ a: 1, 'a.b': 1 }, 'projection.fields.a.b collides with another path of fields'],
  [{ 'a.b': 1, a: 1 }, 'projection.fields.a collides with another path of fields'],
  [{ a: {} }, 'projection.fields.a must not be an empty object'],
  [{ 'a.$': 0 }, 'projection.fields.a.$ must be 1, as it ends in the positional $, not 0'],
  [{ 'a.$': 1, 'b.$': 1 }, 'projection.fields.b.$ must be the only path with the positional $'],
  [{ 'a.$': 1, b: 0 }, 'projection.fields.b must not exclude a field where another is included'],
  [{ 'a.$.b': 1 }, 'projection.fields.a.$.b must have the positional $ at the end of its path'],
  [{ 'a.$': 1, b: { $elemMatch: { c: 1 } } }, 'projection.fields.b.$elemMatch must not be used together: the positional $ and $elemMatch'],
  [{ b: { $elemMatch: { c: 1 } }, 'a.$': 1 }, 'projection.fields.a.$ must not be used together: the positional $ and $elemMatch'],
  [{ 'a.b': { $elemMatch: { c: 1 } } }, 'projection.fields.a.b.$elemMatch must be on a top-level field, not on "a.b"'],
] // prettier-ignore

t.test('a refusal of fields says which field, and why', async (t) => {
  for (const [fields, message] of REFUSED) {
    t.throws(
      () => parseFields(fields),
      { code: 'PROJECTION_INVALID', message },
      JSON.stringify(fields),
    )
  }
})
