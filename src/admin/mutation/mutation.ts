import { Type } from '@sinclair/typebox'
import type { Static } from '@sinclair/typebox'

import { OptionsInvalid } from '../../errors.js'
import { parseIfJson } from '../../json/json.js'
import { quote } from '../../json/quote.js'
import { StringEnum } from '../../json/string-enum.js'
import { compileValidator } from '../../json/validation/compile-validator.js'

/** What may be changed of the answers of a route. */
export const CHANGES = [
  'status-500',
  'status-401',
  'reset',
  'hang',
  'empty',
  'lose-item',
  'repeat-item',
  'ignore-sort',
  'ignore-limit',
  'ignore-query',
  'missing',
  'null',
  'type',
  'unit',
  'not-kept',
] as const
export type Change = (typeof CHANGES)[number]

/** A change of the answers of one route, with which a command runs the tests of a project again. */
export const Mutation = Type.Object(
  {
    method: Type.String({ minLength: 1 }),
    /** As a use of the footprint has it: `/materials/{id}`. */
    path: Type.String({ minLength: 1 }),
    change: StringEnum(CHANGES, { expected: `one of ${CHANGES.join(', ')}` }),
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
  /** The folder to which each mock writes what it was asked, and what it has answered. */
  readonly footprintFolder?: string | undefined
}

/** The variables that `mutate` sets for the tests that it runs. */
export const RUN_VARIABLES = {
  url: 'MATERIALS_MOCK_URL',
  mutation: 'MATERIALS_MOCK_MUTATION',
  footprint: 'MATERIALS_MOCK_FOOTPRINT',
} as const

const validate = compileValidator(Mutation, 'body')

/**
 * Reads the variables that `materials-mock mutate` sets for the tests that it runs.
 * @throws OptionsInvalid for a mutation that is malformed: it must not pass for none
 */
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
