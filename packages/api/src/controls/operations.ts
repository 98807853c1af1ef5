import { Type } from '@sinclair/typebox'
import type { TSchema } from '@sinclair/typebox'

import { OptionalText, StringEnum, Text } from '@materials-mock/json'
import type { JsonObject } from '@materials-mock/json'
import { Basis, Lattice } from '../items/structure.js'
import { Symmetry } from '../items/symmetry.js'
import { LIST_QUERYSTRINGS, ListQuerystring } from '../list-querystring.js'
import { LISTS } from '../resources.js'
import type { ReadLists } from '../resources.js'
import { ClockChange, ClockState, RunDescription } from './clock.js'
import { Count, ItemExplanation, ListExplanation } from './explanation.js'
import { Fault, FaultRule } from './fault.js'
import { Footprint } from './footprint.js'
import { RecordedRequest } from './journal-item.js'
import { EXPECTED_NAME, NAME_PATTERN } from './names.js'
import { Scenario, View } from './scenario.js'
import { AccountSummary, NewSession, OpenedSession } from './sessions.js'
import { CountQuerystring, RequestCount, Verification, VerifyQuerystring } from './verification.js'

const NameParameters = Type.Object({
  name: Type.String({ pattern: NAME_PATTERN, expected: EXPECTED_NAME }),
})

export const ResourceParameters = Type.Object({
  resource: Text('projects', 'The name of a resource.'),
})

const Sizes = Type.Record(Type.String(), Count, { examples: [{ materials: 74, jobs: 5 }] })

const Health = Type.Object(
  {
    status: Type.Literal('ok'),
    version: Text('1.0.0'),
    uptime: Type.Number({ description: 'The time since the start, in seconds.', examples: [12.7] }),
    readOnly: Type.Boolean({
      description: 'Whether the server has no routes that write.',
      examples: [false],
    }),
    strict: Type.Boolean({
      description:
        'Whether the server accepts only what the platform documents: the option `--strict`.',
      examples: [false],
    }),
    lists: StringEnum<ReadLists>([...LISTS, 'strict'], {
      description:
        'How the lists of the platform read their parameters: the option `--lists`, or `strict`.',
      examples: ['both'],
    }),
    resources: Sizes,
  },
  { $id: 'Health' },
)

const HealthQuerystring = Type.Object({
  accountId: Type.Optional(
    Type.String({
      minLength: 1,
      description: 'The account whose visible items are counted (default: all items).',
      examples: ['oEb32zJWy27miFESb'],
    }),
  ),
})

const Snapshot = Type.Object(
  {
    name: Text('before-the-demo'),
    takenAt: Text('2026-11-21T08:59:47.811Z'),
    resources: Sizes,
  },
  { $id: 'Snapshot' },
)

const Paths = Type.Array(Type.String(), { examples: [['fixtures/materials.json']] })

export const Items = Type.Array(Type.Object({ _id: Text('p1') }, { additionalProperties: true }), {
  examples: [[{ _id: 'p1', name: 'Silicon' }]],
})

const SeededItems = Type.Record(Type.String(), Type.Unsafe<JsonObject[]>(Items), {
  examples: [{ materials: [{ _id: 'm1', formula: 'Si' }], jobs: [] }],
})

const SandboxSummary = Type.Object(
  {
    name: Text('ann'),
    url: Type.String({
      description: 'The path before /api and /__admin in the URLs of the sandbox.',
      examples: ['http://127.0.0.1:4000/sandboxes/ann'],
    }),
  },
  { $id: 'SandboxSummary' },
)

const StructureBody = Type.Object(
  { lattice: Lattice, basis: Basis },
  {
    additionalProperties: false,
    examples: [
      {
        lattice: { a: 3.867, b: 3.867, c: 3.867, alpha: 60, beta: 60, gamma: 60 },
        basis: {
          elements: [
            { id: 0, value: 'Si' },
            { id: 1, value: 'Si' },
          ],
          coordinates: [
            { id: 0, value: [0, 0, 0] },
            { id: 1, value: [0.25, 0.25, 0.25] },
          ],
        },
      },
    ],
  },
)

/** The symmetry of a structure; without a field if none is found. */
const FoundSymmetry = Type.Partial(Symmetry, { $id: 'Symmetry' })

const ItemParameters = Type.Object({
  resource: Text('materials', 'The name of a resource.'),
  id: Text('QbA7yYP5XSiZheuS5', 'The _id of the item.'),
})

/** Returns the parameters of an explanation: those of the explained list, and two of its own. */
export const getExplainQuerystring = (lists: ReadLists) =>
  Type.Object(
    {
      ...LIST_QUERYSTRINGS[lists].properties,
      accountId: Type.Optional(
        Type.String({ description: 'The _id of the account that sees the items (default: all).' }),
      ),
      lists: Type.Optional(
        StringEnum(LISTS, {
          description: 'How the parameters are read (default: as the list does).',
        }),
      ),
    },
    { additionalProperties: true },
  )

const ExplainQuerystring = getExplainQuerystring('both')

/** What an operation takes, and what it answers with (default: an empty object). */
interface OperationSchemas {
  readonly params?: TSchema
  readonly querystring?: TSchema
  readonly body?: TSchema
  readonly success?: TSchema
}

/** The operations of a mock by their requests below `/__admin`. */
export const OPERATIONS = {
  'GET /health': { querystring: HealthQuerystring, success: Health },
  'POST /reset': {},
  'GET /snapshots': { success: Type.Array(Snapshot) },
  'PUT /snapshots/:name': { params: NameParameters, success: Snapshot },
  'POST /snapshots/:name/restore': { params: NameParameters, success: Snapshot },
  'DELETE /snapshots/:name': { params: NameParameters },
  'POST /reload': {
    success: Type.Object({ loaded: Paths, removed: Paths }, { $id: 'ReloadedFixtures' }),
  },
  'POST /seed': {
    querystring: Type.Object({
      seed: OptionalText(
        '7',
        'An integer; the same one completes items in the same way (default: 1).',
      ),
    }),
    body: Type.Any({ examples: [{ materials: [{ formula: 'Si' }], jobs: [{ name: 'Relax' }] }] }),
    success: SeededItems,
  },
  'POST /fixtures/:resource/:id/restore': {
    params: Type.Object({
      ...ResourceParameters.properties,
      id: Text('p1', 'The `_id` of the item.'),
    }),
    success: Type.Unsafe<JsonObject>(Items.items),
  },
  'GET /clock': { success: ClockState },
  'POST /clock': { body: ClockChange, success: ClockState },
  'DELETE /clock': { success: ClockState },
  'GET /runs/:jobId': {
    params: Type.Object({ jobId: Text('9gyhfncWDhnSyzALv') }),
    success: RunDescription,
  },
  'GET /scenarios': { success: Type.Array(Type.String(), { examples: [['empty account']] }) },
  'GET /scenario': { success: Scenario },
  'POST /scenarios/:name': {
    params: Type.Object({ name: Text('empty account', 'The name of the scenario.') }),
    success: Type.Object({ view: Type.Optional(View) }),
  },
  'GET /sandboxes': { success: Type.Array(SandboxSummary) },
  'PUT /sandboxes/:name': { params: NameParameters, success: SandboxSummary },
  'DELETE /sandboxes/:name': { params: NameParameters },
  'GET /accounts': { success: Type.Array(AccountSummary) },
  'POST /sessions': { body: NewSession, success: OpenedSession },
  'GET /faults': { success: Type.Array(FaultRule) },
  'POST /faults': { body: Fault, success: FaultRule },
  'DELETE /faults': {},
  'DELETE /faults/:id': { params: Type.Object({ id: Text('1', 'The _id of the rule.') }) },
  'GET /footprint': { success: Footprint },
  'POST /symmetry': { body: StructureBody, success: FoundSymmetry },
  'GET /explain/:resource': {
    params: ResourceParameters,
    querystring: ExplainQuerystring,
    success: ListExplanation,
  },
  'GET /explain/:resource/:id': {
    params: ItemParameters,
    querystring: ExplainQuerystring,
    success: ItemExplanation,
  },
  'GET /requests': { querystring: ListQuerystring, success: Type.Array(RecordedRequest) },
  'GET /requests/count': { querystring: CountQuerystring, success: RequestCount },
  'GET /requests/verify': { querystring: VerifyQuerystring, success: Verification },
  'DELETE /requests': {},
} as const satisfies Readonly<Record<string, OperationSchemas>>

type Table = typeof OPERATIONS

/** The request of an operation: `PUT /snapshots/:name`. */
export type OperationName = keyof Table

/** The type of the values of a schema. A whole schema is too deep to infer from. */
type ValueOf<Name extends OperationName, Part extends keyof OperationSchemas, Missing> =
  Table[Name] extends Readonly<Record<Part, { readonly static: infer Value }>> ? Value : Missing

export type ParamsOf<Name extends OperationName> = ValueOf<Name, 'params', object>
export type QueryOf<Name extends OperationName> = ValueOf<Name, 'querystring', object>
export type BodyOf<Name extends OperationName> = ValueOf<Name, 'body', undefined>
export type AnswerOf<Name extends OperationName> = ValueOf<Name, 'success', void>
