import { expectFailure } from '../expect.js'
import { assumed, needsProjection } from '../statement.js'
import type { Statement } from '../statement.js'

/** Refused lists: the id, the mistake, the parameters in JSON, and the code. */
type Refusal = readonly [id: string, title: string, parameters: string, code: string]

/** Queries that exceed a limit by one. Each `$or` is two levels. */
const DEEP = `${'{"$or":['.repeat(25)}{"a":1}${']}'.repeat(25)}`
const LONG_LIST = JSON.stringify({ a: { $in: Array.from({ length: 1001 }, () => 1) } })
const LONG_PATTERN = JSON.stringify({ a: { $regex: 'a'.repeat(1001) } })

const QUERY_CASES: readonly Refusal[] = [
  ['query.not-json', 'A query that is not JSON', 'query={', 'QUERY_INVALID'],
  ['query.not-object', 'A query that is a list', 'query=[]', 'QUERY_INVALID'],
  ['query.empty-parameter', 'An empty query parameter', 'query=', 'PARAMETER_INVALID'],
  ['query.twice', 'A query parameter given twice', 'query={}&query={}', 'PARAMETER_INVALID'],
  ['query.duplicate-key', 'A key twice in an object', 'query={"a":1,"a":2}', 'QUERY_INVALID'],
  ['query.operator-unknown', 'An unknown operator', 'query={"a":{"$gtx":1}}', 'QUERY_INVALID'],
  ['query.operand-wrong', '$in without a list', 'query={"a":{"$in":1}}', 'QUERY_INVALID'],
  ['query.where', '$where', 'query={"$where":"1"}', 'QUERY_INVALID'],
  ['query.pattern-wrong', 'A malformed pattern', 'query={"a":{"$regex":"("}}', 'QUERY_INVALID'],
  ['query.prototype', 'A path through __proto__', 'query={"__proto__.a":1}', 'QUERY_INVALID'],
  ['query.max-depth', 'A query of 51 levels', `query=${DEEP}`, 'BOUND_EXCEEDED'],
  ['query.max-list', 'A list of 1001 entries in a query', `query=${LONG_LIST}`, 'BOUND_EXCEEDED'],
  ['query.max-pattern', 'A pattern of 1001 characters', `query=${LONG_PATTERN}`, 'BOUND_EXCEEDED'],
]

const PROJECTION_CASES: readonly Refusal[] = (
  [
    ['not-json', 'A projection that is not JSON', '{'],
    ['key-unknown', 'An unknown key of a projection', '{"order":{}}'],
    ['limit-zero', 'A limit of 0', '{"limit":0}'],
    ['limit-text', 'A limit in a string', '{"limit":"10"}'],
    ['limit-fraction', 'A limit of 1.5', '{"limit":1.5}'],
    ['skip-negative', 'A skip of -1', '{"skip":-1}'],
    ['sort-direction', 'A sort direction of 2', '{"sort":{"name":2}}'],
    ['sort-text', 'A sort that is a string', '{"sort":"name"}'],
    ['fields-mixed', 'Fields that include and exclude', '{"fields":{"a":1,"b":0}}'],
    ['fields-operator', 'An unknown operator in fields', '{"fields":{"a":{"$bx":1}}}'],
  ] as const
).map(([id, title, json]) => [
  `projection.${id}`,
  title,
  `projection=${json}`,
  'PROJECTION_INVALID',
])

const toStatement = ([id, title, parameters, code]: Refusal): Statement =>
  assumed(id, `${title} is 400 ${code}`, async (probe) => {
    const given =
      probe.deployment.lists === 'migrated'
        ? parameters.replaceAll(
            /query=([^&]*)/g,
            (_, json) => `advancedSearches=${json && `[${json}]`}`,
          )
        : parameters
    const path = `/${probe.resource}?${encodeURI(given).replaceAll('+', '%2B')}`
    expectFailure(await probe.get(path), 400, code)
  })

/** The statements on queries that are refused. */
export const QUERY_REFUSALS: readonly Statement[] = [
  ...QUERY_CASES.map(toStatement),
  // Migrated lists drop what they do not read.
  needsProjection(
    toStatement([
      'query.other-parameters',
      'An unknown parameter beside query',
      'query={}&page=2',
      'PARAMETER_INVALID',
    ]),
  ),
]

/** The statements on projections that are refused. */
export const PROJECTION_REFUSALS = [
  ...PROJECTION_CASES.map(toStatement),
  assumed(
    'projection.empty-parameter',
    'An empty projection parameter is 400 PARAMETER_INVALID',
    async (probe) => {
      expectFailure(await probe.get(`/${probe.resource}?projection=`), 400, 'PARAMETER_INVALID')
    },
  ),
].map(needsProjection)
