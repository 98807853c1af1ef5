import { Type } from '@sinclair/typebox'
import type { TSchema } from '@sinclair/typebox'
import t from 'tap'

import { compileValidator } from '../src/validation/compile-validator.js'

t.test(
  'a message says what is wrong with the length of an array, and with the form of a text',
  async (t) => {
    const cases: readonly (readonly [schema: TSchema, value: unknown, message: string])[] = [
      [
        Type.Array(Type.Null(), { maxItems: 2 }),
        [null, null, null],
        'an array of at most 2, not one of 3',
      ],
      [
        Type.Array(Type.Null(), { minItems: 1, maxItems: 2 }),
        [null, null, null],
        'an array of 1 to 2, not one of 3',
      ],
      [Type.Array(Type.Null(), { minItems: 1 }), [], 'an array of at least 1, not []'],
      [Type.Array(Type.Null(), { minItems: 2, maxItems: 2 }), [null], 'an array of 2, not [null]'],
      [Type.Array(Type.Null(), { maxItems: 2 }), 7, 'an array of at most 2, not 7'],
      [Type.String({ pattern: '^[a-z]+$' }), 'A', 'a string that matches ^[a-z]+$, not "A"'],
      [Type.String({ pattern: '^[a-z]+$', expected: 'a name' }), 'A', 'a name, not "A"'],
    ]
    for (const [schema, value, message] of cases) {
      t.equal(
        compileValidator(Type.Object({ a: schema }), 'body')({ a: value })?.message,
        `a must be ${message}`,
      )
    }
  },
)
