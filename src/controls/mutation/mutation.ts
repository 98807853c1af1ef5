import { Type } from '@sinclair/typebox'
import type { Static } from '@sinclair/typebox'

import { StringEnum, compileValidator, parseIfJson, quote } from '@materials-mock/json'
import { OptionsInvalid } from '../../errors.js'

/** The possible changes of the answers of a route: what the route does then, and assertions that see it. */
export const CHANGES = {
  'status-500': ['answers 500', 'what is shown or thrown when the server fails'],
  'status-401': ['answers 401', 'the way back to the login'],
  reset: ['drops the connection', 'the success of the request, or the message of a failure'],
  hang: ['never answers', 'the result of the request, or a timeout'],
  empty: ['returns an empty list', 'the number of items, or one of them'],
  'lose-item': ['loses the first item', 'the first item, or the number of items'],
  'repeat-item': ['repeats the first item', 'the number of items, or that each occurs once'],
  'ignore-sort': ['ignores the sort', 'the order of all items'],
  'ignore-limit': ['ignores the limit', 'the number of items'],
  'ignore-query': ['ignores the query', 'the absence of all other items'],
  missing: ['does not return', 'the value of the field'],
  null: ['returns null for', 'the value of the field'],
  type: ['returns another type for', 'the field by strict equality'],
  unit: ['returns another unit for', 'the number itself, rather than that there is one'],
  'not-kept': ['answers, but keeps nothing', 'what is read after the write'],
} as const satisfies Record<string, readonly [action: string, assertions: string]>
export type Change = keyof typeof CHANGES

/** A change of the answers of one route, with which a command runs the tests of a project again. */
export const Mutation = Type.Object(
  {
    method: Type.String({ minLength: 1 }),
    /** As a use of the footprint has it: `/materials/{id}`. */
    path: Type.String({ minLength: 1 }),
    change: StringEnum(Object.keys(CHANGES) as Change[], {
      expected: `one of ${Object.keys(CHANGES).join(', ')}`,
    }),
    /** The path of the field that is changed, which goes through arrays. */
    field: Type.Optional(Type.String({ minLength: 1 })),
    /** What multiplies a number to have it in another unit. */
    factor: Type.Optional(Type.Number()),
    /** The file that each change of an answer is added to, as a line of JSON. */
    log: Type.Optional(Type.String({ minLength: 1 })),
  },
  { additionalProperties: false },
)
export type Mutation = Static<typeof Mutation>

/** A change of an answer, as the log of a mutation has it: the parts that differ, as texts. */
export interface ChangedAnswer {
  readonly url: string
  readonly before: string
  readonly after: string
}

/** What a command asks the mocks of the tests that it runs to do, by environment variables. */
export interface TestRun {
  readonly mutation?: Mutation | undefined
  readonly footprintFolder?: string | undefined
}

/** The variables that `mutate` sets for the tests that it runs. */
export const RUN_VARIABLES = {
  url: 'MATERIALS_MOCK_URL',
  mutation: 'MATERIALS_MOCK_MUTATION',
  footprint: 'MATERIALS_MOCK_FOOTPRINT',
} as const

const validate = compileValidator(Mutation, 'body', 'it')

/** @throws OptionsInvalid for a mutation that is malformed: it must not pass for none */
export function readTestRun(environment: Readonly<Record<string, string | undefined>>): TestRun {
  const { [RUN_VARIABLES.mutation]: text = '', [RUN_VARIABLES.footprint]: folder = '' } =
    environment
  if (text === '') return { footprintFolder: folder === '' ? undefined : folder }
  const mutation = parseIfJson(text)
  const error = validate(mutation)
  if (error !== undefined) {
    throw new OptionsInvalid(
      `${RUN_VARIABLES.mutation} must be a mutation such as {"method":"GET","path":"/materials","change":"empty"}, not ${quote(text)}: ${error.message}`,
    )
  }
  return { mutation: mutation as Mutation }
}
