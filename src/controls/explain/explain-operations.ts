import type { preValidationHookHandler } from 'fastify'

import { LISTS, getExplainQuerystring, resolveLists } from '@materials-mock/api'
import type { ListExplanation, ParamsOf, ReadLists } from '@materials-mock/api'
import { describeConditions, waitForSort } from '@materials-mock/query'
import type { Work } from '@materials-mock/work'
import { ItemNotFound } from '../../errors.js'
import { runListRequest } from '../../http/list/compile.js'
import { parametersOf, parseListParameters } from '../../http/list/parameters.js'
import type { ListRequest } from '../../http/list/parameters.js'
import { LIST_ERRORS } from '../../http/openapi/responses.js'
import { createPlan, evaluatePlan } from '../../store/index/query-plan.js'
import { NO_RESOURCE, defineOperation, findCollection, findVisibility } from '../control.js'
import type { Call, ControlOptions } from '../control.js'
import { explainItem } from './explain-item.js'
import type { ExplainedList } from './explain-item.js'

type ExplainCall = Call<
  ParamsOf<'GET /explain/:resource'>,
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
    { params, query, sandbox }: ExplainCall,
    explain: (list: ExplainedList) => Work<Result>,
  ): Work<Result> => {
    const { accountId, lists: _lists, ...listRequest } = query
    const collection = findCollection({ params, sandbox }, 'explain')
    const isVisible = findVisibility(sandbox.store, accountId)
    return runListRequest(listQueries, collection, listRequest, isVisible, (compiled) =>
      explain({ collection, compiled, isVisible, accountId }),
    )
  }

  const querystring = getExplainQuerystring(lists)
  return [
    defineOperation('GET /explain/:resource', 'explain', 'Show how a list is evaluated', {
      description: 'Returns the plan and the counts of a list, but not its items.',
      querystring,
      errors: [NO_RESOURCE, ...LIST_ERRORS],
      prepare,
      work: (call) => run(call, explainList),
    }),
    defineOperation(
      'GET /explain/:resource/:id',
      'explain-item',
      'Tell why an item is in a list or not',
      {
        description:
          'Returns the values that each condition found in the item, whether the owner hides the item, and its place in the list.',
        querystring,
        errors: [NO_RESOURCE, new ItemNotFound('materials', 'm9'), ...LIST_ERRORS],
        prepare,
        work: (call) => run(call, (list) => explainItem(list, call.params.id)),
      },
    ),
  ]
}

/** @throws as `Collection.find` does */
function* explainList({ collection, compiled, isVisible }: ExplainedList): Work<ListExplanation> {
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
