import { Type } from '@sinclair/typebox'
import type { Static, TObject } from '@sinclair/typebox'
import type { preValidationHookHandler } from 'fastify'

import { LISTS, resolveLists } from '@materials-mock/api'
import type { ReadLists } from '@materials-mock/api'
import { StringEnum, Text } from '@materials-mock/json'
import { describeConditions, waitForSort } from '@materials-mock/query'
import type { Work } from '@materials-mock/work'
import { ItemNotFound } from '../../errors.js'
import { runListRequest } from '../../http/list/compile.js'
import { parametersOf, parseListParameters } from '../../http/list/parameters.js'
import type { ListRequest } from '../../http/list/parameters.js'
import { LIST_QUERYSTRINGS } from '../../http/list/querystring.js'
import { LIST_ERRORS } from '../../http/openapi/responses.js'
import { createPlan, evaluatePlan } from '../../store/index/query-plan.js'
import {
  Count,
  NO_RESOURCE,
  ResourceParameters,
  defineOperation,
  findCollection,
  findVisibility,
} from '../control.js'
import type { Call, ControlOptions } from '../control.js'
import { explainItem } from './explain-item.js'
import type { ExplainedList } from './explain-item.js'
import { ItemExplanation } from './explanation.js'

/** How a list is evaluated. Items that the account does not see are not counted. */
const ListExplanation = Type.Object(
  {
    plan: Text('index on formula'),
    conditions: Type.Array(Text('formula $eq')),
    /** The largest number of items that the plan has to examine. */
    candidates: Count,
    /** The number of items examined until the page was full. */
    examined: Count,
    matched: Count,
    returned: Count,
    ms: Type.Number({ examples: [0.46] }),
  },
  { $id: 'Explanation' },
)

const ItemParameters = Type.Object({
  resource: Text('materials', 'The name of a resource.'),
  id: Text('QbA7yYP5XSiZheuS5', 'The _id of the item.'),
})

const querystring = (lists: ReadLists): TObject =>
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

type ExplainCall<Params extends TObject> = Call<
  Static<Params>,
  ListRequest & { readonly accountId?: string; readonly lists?: ReadLists }
>

/** A control reads its parameters as the list does. */
export function createExplainOperations({
  listQueries,
  lists,
}: Pick<ControlOptions, 'listQueries' | 'lists'>) {
  const prepare: preValidationHookHandler = (request, _reply, done) => {
    const { resource } = request.params as { readonly resource: string }
    const { accountId, lists: given, ...parameters } = parametersOf(request)
    const mode = LISTS.find((each) => each === given) ?? resolveLists(resource, lists)
    request.query = { ...parseListParameters(parameters, mode), accountId, lists: given }
    done()
  }

  const run = <Result>(
    { params, query, sandbox }: ExplainCall<typeof ResourceParameters>,
    explain: (list: ExplainedList) => Work<Result>,
  ): Work<Result> => {
    const { accountId, lists: _lists, ...listRequest } = query
    const collection = findCollection({ params, sandbox }, 'explain')
    const isVisible = findVisibility(sandbox.store, accountId)
    return runListRequest(listQueries, collection, listRequest, isVisible, (compiled) =>
      explain({ collection, compiled, isVisible, accountId }),
    )
  }

  return [
    defineOperation('GET /explain/:resource', 'explain', 'Show how a list is evaluated', {
      description: 'Returns the plan and the counts of a list, but not its items.',
      params: ResourceParameters,
      querystring: querystring(lists),
      success: ListExplanation,
      errors: [NO_RESOURCE, ...LIST_ERRORS],
      prepare,
      work: (call: ExplainCall<typeof ResourceParameters>) => run(call, explainList),
    }),
    defineOperation(
      'GET /explain/:resource/:id',
      'explain-item',
      'Tell why an item is in a list or not',
      {
        description:
          'Returns the values that each condition found in the item, whether the owner hides the item, and its place in the list.',
        params: ItemParameters,
        querystring: querystring(lists),
        success: ItemExplanation,
        errors: [NO_RESOURCE, new ItemNotFound('materials', 'm9'), ...LIST_ERRORS],
        prepare,
        work: (call: ExplainCall<typeof ItemParameters>) =>
          run(call, (list) => explainItem(list, call.params.id)),
      },
    ),
  ] as const
}

/** @throws as `Collection.find` does */
function* explainList({
  collection,
  compiled,
  isVisible,
}: ExplainedList): Work<Static<typeof ListExplanation>> {
  yield* waitForSort(compiled, collection.size)
  const start = performance.now()
  const view = yield* collection.view(isVisible)
  const plan = createPlan(compiled, view)
  const candidates = plan.entries.length
  const { page, examined, matched } = yield* evaluatePlan(plan, compiled)
  const ms = Math.round((performance.now() - start) * 1000) / 1000
  return {
    plan: plan.description,
    conditions: plan.isExact ? [] : [...describeConditions(compiled.selector.tree)],
    candidates,
    examined,
    matched,
    returned: page.length,
    ms,
  }
}
