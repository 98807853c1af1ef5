import type { ApiResponse } from '../api-client.js'
import type { Probe } from '../probe.js'
import { defineGroup, needsProjection } from '../statement.js'
import type { Statement } from '../statement.js'

const query = defineGroup('query')
const projection = defineGroup('projection')

/** Refused lists: the name, the mistake, the parameters in JSON, and the code. */
type Refusal = readonly [name: string, mistake: string, parameters: string, code: string]

/** Queries that exceed a limit by one. Each `$or` is two levels. */
const DEEP = `${'{"$or":['.repeat(25)}{"a":1}${']}'.repeat(25)}`
const LONG_LIST = JSON.stringify({ a: { $in: Array.from({ length: 1001 }, () => 1) } })
const LONG_PATTERN = JSON.stringify({ a: { $regex: 'a'.repeat(1001) } })

const QUERY_CASES: readonly Refusal[] = [
  ['not-json', 'A query that is not JSON', 'query={', 'QUERY_INVALID'],
  ['not-object', 'A query that is a list', 'query=[]', 'QUERY_INVALID'],
  ['empty-parameter', 'An empty query parameter', 'query=', 'PARAMETER_INVALID'],
  ['twice', 'A query parameter given twice', 'query={}&query={}', 'PARAMETER_INVALID'],
  ['duplicate-key', 'A key twice in an object', 'query={"a":1,"a":2}', 'QUERY_INVALID'],
  ['operator-unknown', 'An unknown operator', 'query={"a":{"$gtx":1}}', 'QUERY_INVALID'],
  ['operand-wrong', '$in without a list', 'query={"a":{"$in":1}}', 'QUERY_INVALID'],
  ['where', '$where', 'query={"$where":"1"}', 'QUERY_INVALID'],
  ['pattern-wrong', 'A malformed pattern', 'query={"a":{"$regex":"("}}', 'QUERY_INVALID'],
  ['prototype', 'A path through __proto__', 'query={"__proto__.a":1}', 'QUERY_INVALID'],
  ['max-depth', 'A query of 51 levels', `query=${DEEP}`, 'BOUND_EXCEEDED'],
  ['max-list', 'A list of 1001 entries in a query', `query=${LONG_LIST}`, 'BOUND_EXCEEDED'],
  ['max-pattern', 'A pattern of 1001 characters', `query=${LONG_PATTERN}`, 'BOUND_EXCEEDED'],
]

/** Refused projections: each is 400 PROJECTION_INVALID. */
const PROJECTION_CASES = [
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

export const QUERY_REFUSALS: readonly Statement[] = [
  ...QUERY_CASES.map(([name, mistake, parameters, code]) =>
    query.fails(name, `${mistake} is 400 ${code}`, (probe) => {
      const isMigrated = probe.deployment.lists === 'migrated'
      return getList(probe, isMigrated ? toAdvanced(parameters) : parameters)
    }),
  ),
  // Migrated lists drop what they do not read.
  needsProjection(
    query.fails(
      'other-parameters',
      'An unknown parameter beside query is 400 PARAMETER_INVALID',
      (probe) => getList(probe, 'query={}&page=2'),
    ),
  ),
]

export const PROJECTION_REFUSALS = [
  ...PROJECTION_CASES.map(([name, mistake, json]) =>
    projection.fails(name, `${mistake} is 400 PROJECTION_INVALID`, (probe) =>
      getList(probe, `projection=${json}`),
    ),
  ),
  projection.fails(
    'empty-parameter',
    'An empty projection parameter is 400 PARAMETER_INVALID',
    (probe) => getList(probe, 'projection='),
  ),
].map(needsProjection)

/** Returns the parameters that migrated lists read in the place of `query`. */
const toAdvanced = (parameters: string): string =>
  parameters.replaceAll(/query=([^&]*)/g, (_, json) => `advancedSearches=${json && `[${json}]`}`)

const getList = (probe: Probe, parameters: string): Promise<ApiResponse> =>
  probe.get(`/${probe.resource}?${encodeURI(parameters).replaceAll('+', '%2B')}`)
