import { Type } from '@sinclair/typebox'

import {
  BoundExceeded,
  FaultNotFound,
  ItemNotFound,
  RouteNotFound,
  SnapshotNotFound,
} from '../errors.js'
import { LIST_ERRORS, controlResponses } from '../http/openapi/control-responses.js'
import type { OperationSchema } from '../http/openapi/operation-schema.js'
import type { ResponseObject } from '../http/openapi/responses.js'
import { ItemExplanation, Verification } from './explain/explanation.js'
import * as data from './control-data.js'
import {
  CountQuerystring,
  ExplainQuerystring,
  ExplainItemParameters,
  FixturesQuerystring,
  ReplaceQuerystring,
  ResourceParameters,
  VerifyQuerystring,
} from './parameters.js'
import { AccountSummary, NewSession, OpenedSession } from './sessions/session.js'
import { Fault } from './faults/fault.js'
import { ListQuerystring } from '../query/list-querystring.js'
import { OpenApi } from '../http/openapi/openapi-schema.js'
import { SnapshotParameters } from './snapshots/snapshot.js'
import { operation } from './control-operation.js'

const NO_RESOURCE = new RouteNotFound(
  '/__admin/fixtures/nothing; the resources are jobs, materials',
)
const NO_SNAPSHOT = new SnapshotNotFound('before-the-demo')
const params = SnapshotParameters

/** Returns the response of a success, which can be one item a line too. */
const withJsonLines = ({ 200: success }: ReturnType<typeof controlResponses>): ResponseObject => ({
  ...(success as ResponseObject),
  content: {
    ...success?.content,
    'application/jsonl': { schema: Type.String({ examples: ['{"_id": "p1"}\n'] }) },
  },
})

/** The response of the events, which is no JSON. */
const EVENTS = {
  description: 'Events, until the reader or the server closes',
  content: { 'text/event-stream': { schema: Type.String({ examples: ['event: start'] }) } },
}

/** The response with the document, which has no envelope. */
const DOCUMENT = {
  description: 'Success',
  content: { 'application/json': { schema: OpenApi } },
}

/** The controls, as their document describes them. */
export const OPERATIONS = {
  health: operation('health', 'Get the version, the uptime and the sizes', data.Health, {
    description:
      'The version of the package, the time since the start, whether the server is read-only, and the number of items of each resource.',
  }),
  reset: operation('reset', 'Restore the state right after the start', data.Nothing, {
    description: 'Ends all sessions, removes all faults and clears the journal. Snapshots stay.',
  }),
  accounts: operation('accounts-list', 'List the accounts', Type.Array(AccountSummary), {
    description: 'The accounts of `accounts.json`, without passwords and tokens.',
  }),
  openSession: operation('sessions-open', 'Open a session without a password', OpenedSession, {
    description:
      'Of the account with the username, or else of the first one. The session is one like any other.',
    body: NewSession,
  }),
  snapshots: operation('snapshots-list', 'List the snapshots', Type.Array(data.Snapshot), {
    description: 'By name, with the numbers of their items.',
  }),
  takeSnapshot: operation('snapshots-take', 'Take a snapshot', data.Snapshot, {
    description: 'Of all items and sessions. It replaces a snapshot with the same name.',
    params,
    errors: [new BoundExceeded('there must be at most 200 snapshots; remove some first')],
  }),
  restoreSnapshot: operation('snapshots-restore', 'Restore a snapshot', data.Snapshot, {
    description: 'Its items and sessions replace the present ones. The snapshot stays.',
    params,
    errors: [NO_SNAPSHOT],
  }),
  removeSnapshot: operation('snapshots-remove', 'Remove a snapshot', data.Nothing, {
    description: 'The items stay as they are.',
    params,
    errors: [NO_SNAPSHOT],
  }),
  faults: operation('faults-list', 'List the fault rules', Type.Array(data.StoredFault), {
    description: 'In the order in which they were added, with the numbers of matches.',
  }),
  addFault: operation('faults-add', 'Add a fault rule', data.StoredFault, {
    description: 'The first rule that matches a request under `/api` applies.',
    body: Fault,
    errors: [new BoundExceeded('there must be at most 200 fault rules; remove some first')],
  }),
  removeFaults: operation('faults-clear', 'Remove all fault rules', data.Nothing, {
    description: 'Requests are answered as usual from then on.',
  }),
  removeFault: operation('faults-remove', 'Remove a fault rule', data.Nothing, {
    description: 'Other rules stay.',
    params: Type.Object({
      id: Type.String({ description: 'The _id of the rule.', examples: ['1'] }),
    }),
    errors: [new FaultNotFound('1')],
  }),
  allItems: operation('fixtures-list', 'Get all items of all accounts', data.AllItems, {
    description: 'As they are held now, by resource.',
  }),
  items: {
    ...operation('fixtures-get', 'Get the items of a resource', data.Items, {
      description: 'As they are held now, of every account.',
      params: ResourceParameters,
      querystring: FixturesQuerystring,
    }),
    responses: () => ({
      ...controlResponses(data.Items, [NO_RESOURCE]),
      200: withJsonLines(controlResponses(data.Items)),
    }),
  },
  replaceItems: operation(
    'fixtures-replace',
    'Replace the items of a resource',
    data.ReplacedItems,
    {
      description: 'An array of up to 64 MiB, which is parsed while it arrives.',
      params: ResourceParameters,
      querystring: ReplaceQuerystring,
      body: Type.Any({ examples: [[{ _id: 'p1', name: 'Silicon' }]] }),
      errors: [NO_RESOURCE],
    },
  ),
  explain: operation('explain', 'Show how a list is evaluated', data.Explanation, {
    description: 'The plan and the counts of a list, not its items.',
    params: ResourceParameters,
    querystring: ExplainQuerystring,
    errors: [NO_RESOURCE, ...LIST_ERRORS],
  }),
  explainItem: operation('explain-item', 'Tell why an item is in a list or not', ItemExplanation, {
    description:
      'What each operator of the query met in the item, whether its owner hides it, and its place in the list.',
    params: ExplainItemParameters,
    querystring: ExplainQuerystring,
    errors: [NO_RESOURCE, new ItemNotFound('materials', 'm9'), ...LIST_ERRORS],
  }),
  events: {
    ...operation('events', 'Follow the requests and the changes', Type.String(), {
      description: 'Server-sent events, without an end. `Last-Event-ID` goes on after an event.',
    }),
    responses: () => ({
      ...controlResponses(Type.String(), [
        new BoundExceeded('there must be at most 100 event streams; close some first'),
      ]),
      200: EVENTS,
    }),
  },
  requests: operation(
    'requests-list',
    'List the recorded requests, the newest first',
    Type.Array(data.RecordedRequest),
    {
      description: 'The journal, with the language of a list: `query` and `projection`.',
      querystring: ListQuerystring,
      errors: LIST_ERRORS,
    },
  ),
  countRequests: operation('requests-count', 'Count the recorded requests', data.RequestCount, {
    description: 'Those that match `query`.',
    querystring: CountQuerystring,
    errors: LIST_ERRORS,
  }),
  verifyRequests: operation('requests-verify', 'Compare the number of requests', Verification, {
    description:
      'Whether as many recorded requests match `query` as `count` says; the closest ones if they are too few.',
    querystring: VerifyQuerystring,
    errors: LIST_ERRORS,
  }),
  clearRequests: operation('requests-clear', 'Clear the journal', data.Nothing, {
    description: 'The numbers of the requests continue.',
  }),
  document: {
    ...operation('openapi', 'Get the OpenAPI document of the controls', OpenApi, {
      description: 'This document. It describes every control.',
    }),
    responses: () => ({ ...controlResponses(OpenApi), 200: DOCUMENT }),
  },
} satisfies Readonly<Record<string, OperationSchema>>
