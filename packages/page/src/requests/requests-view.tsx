import type { VNode } from 'preact'
import { useRef, useState } from 'preact/hooks'

import type { Use } from '@materials-mock/api'
import { clearJournal, listSummaries } from '../api/controls.js'
import type { RequestSummary } from '../api/controls.js'
import { isConnected } from '../events/connection.js'
import { requestsVersion } from '../events/handle-event.js'
import { callControl } from '../http/call-control.js'
import { API, basePath, isRefused, listDetails, send, withParameters } from '../http/send.js'
import { completeParameter } from '../json/completions.js'
import { JsonInput } from '../json/json-editor.js'
import { locateInJson } from '../json/json-text.js'
import { formatCurl } from '../search/request-snippets.js'
import { session } from '../session/session.js'
import { useLoad } from '../state/hooks.js'
import { adjust, requestsState } from '../state/navigation.js'
import { ActionButton } from '../widgets/action-button.js'
import { CodeBlock, CopyButton } from '../widgets/code-block.js'
import { closeOnEscape } from '../widgets/pane.js'
import { Table } from '../widgets/table.js'
import { Failure, Notice } from '../widgets/toasts.js'
import { RequestPane } from './request-pane.js'
import { RequestTable } from './request-table.js'

/** The filter of the requests that fail. */
const FAILURES = '{"status": {"$gte": 400}}'

const NONE = [undefined, []] as const

export function RequestsView(): VNode {
  const { filter, paused, request, footprint } = requestsState.value
  const [clearances, setClearances] = useState(0)
  const runner = useRef<HTMLSelectElement>(null)
  const isPaused = paused !== ''
  const query = filter.trim() === '' ? undefined : filter
  const { data, error } = useLoad(
    async (signal) => [query, await listSummaries(query, signal)] as const,
    [query],
    requestsVersion.value,
    String(clearances),
  )
  const clear = async (): Promise<void> => {
    await clearJournal()
    setClearances(clearances + 1)
    if (isPaused) adjust({ paused: '0' })
  }
  const toTestPath = (): string =>
    withParameters('/__admin/requests.test', { query, language: runner.current?.value })
  const wrong = query !== undefined && isRefused(error) ? error : undefined
  const shown = useHeld(data, paused)
  return (
    <div class={request === '' ? 'data-view requests-view' : 'data-view requests-view has-item'}>
      <h1 class="visually-hidden">Requests</h1>
      <section class="list-pane" aria-label="Requests">
        <div class="search request-bar">
          <JsonInput
            label="Filter"
            example='{"path": {"$regex": "materials"}}'
            value={filter}
            complete={COMPLETE}
            error={wrong && locateInJson(filter, listDetails(wrong))[0]}
            onChange={(text) => adjust({ filter: text })}
          />
          <div class="button-line">
            <span class={isConnected.value && !isPaused ? 'live on' : 'live'} role="status">
              {isPaused ? 'Paused' : isConnected.value ? 'Live' : 'Not connected'}
            </span>
            <button
              type="button"
              aria-pressed={filter === FAILURES}
              onClick={() => adjust({ filter: filter === FAILURES ? '' : FAILURES })}
            >
              Failures
            </button>
            <button
              type="button"
              aria-pressed={isPaused}
              onClick={() => adjust({ paused: isPaused ? '' : (shown[0]?._id ?? '0') })}
            >
              {isPaused ? 'Go on' : 'Pause'}
            </button>
            <ActionButton onAct={clear}>Clear</ActionButton>
            <button
              type="button"
              aria-pressed={footprint !== ''}
              onClick={() => adjust({ footprint: footprint === '' ? 'shown' : '', request: '' })}
            >
              Coverage
            </button>
            <a
              href={withParameters(`${basePath()}/__admin/requests.har`, { query })}
              download="requests.har"
            >
              Save as HAR
            </a>
            <select aria-label="Test runner" ref={runner}>
              <option value="vitest">Vitest</option>
              <option value="playwright">Playwright</option>
              <option value="pytest">pytest</option>
            </select>
            <CopyButton class="" text={() => send(toTestPath(), { isText: true })}>
              Copy as test
            </CopyButton>
          </div>
        </div>
        <div
          class="table-scroll"
          tabIndex={0}
          role="region"
          aria-label={footprint === '' ? 'Table of requests' : 'Coverage of the requests'}
          onKeyDown={closeOnEscape}
        >
          {wrong === undefined && <Failure error={error} />}
          {footprint !== '' ? (
            <FootprintTable />
          ) : shown.length > 0 ? (
            <RequestTable requests={shown} openId={request} />
          ) : data !== undefined && error === undefined ? (
            <NoRequests isFiltered={query !== undefined} />
          ) : null}
        </div>
      </section>
      {request !== '' && (
        <RequestPane id={request} status={shown.find(({ _id }) => _id === request)?.status} />
      )}
    </div>
  )
}

/** Says what makes the first request. */
function NoRequests({ isFiltered }: { readonly isFiltered: boolean }): VNode {
  if (isFiltered) return <Notice kind="info">No request matches.</Notice>
  const code = formatCurl({
    origin: location.origin + basePath(),
    path: `${API}/materials`,
    method: 'GET',
    headers: { ...session.value?.headers },
    parameters: {},
  })
  return (
    <div class="empty-list stack">
      <Notice kind="info">
        No request yet. Requests to the API appear here as they arrive, except those of this page.
        To send one from a shell:
      </Notice>
      <CodeBlock code={code} label="a request" />
    </div>
  )
}

/** A paused list has those up to the pause: they stay until another query is answered. */
function useHeld(
  [query, current]: readonly [query: string | undefined, list: readonly RequestSummary[]] = NONE,
  paused: string,
): readonly RequestSummary[] {
  const held = useRef<{ readonly key: string; readonly requests: readonly RequestSummary[] }>(null)
  const key = `${paused} ${query}`
  const requests = paused === '' ? current : current.filter(({ _id }) => _id <= paused)
  if (paused === '' || held.current?.key !== key || held.current.requests.length <= requests.length)
    held.current = { key, requests }
  return held.current.requests
}

/** The fields of a request in the journal. */
const FIELDS = [
  'method',
  'path',
  'status',
  'ms',
  'resource',
  'route',
  'query',
  'projection',
  'accountId',
  'aborted',
  'fault',
  'fault.name',
  'fault.rule',
  'headers',
  'headers.user-agent',
  'body',
  'response.body',
  'response.body.data.code',
  'response.headers',
  'response.size',
  'upstream',
  'at',
  '_id',
]

const COMPLETE = completeParameter('query', FIELDS)

/** What clients have used since the last reset: a row for each route, with what failed. */
function FootprintTable(): VNode {
  const { data, error } = useLoad(
    (signal) => callControl('GET /footprint', { signal }),
    [],
    requestsVersion.value,
  )
  if (data === undefined || error !== undefined) return <Failure error={error} />
  if (data.uses.length === 0) return <Notice kind="info">No request has used anything yet.</Notice>
  return (
    <Table
      class="items footprint"
      heads={[
        { title: 'Route' },
        { title: 'Requests', class: 'numeric' },
        { title: 'Used' },
        { title: 'Broken' },
      ]}
      rows={data.uses.map((use) => [
        `${use.method} ${use.path}`,
        use.count,
        describeUse(use),
        describeFailures(use),
      ])}
    />
  )
}

/** Describes what the requests of a route have named: `paths formula; operators $eq`. */
const describeUse = ({ parameters, paths, operators, sort, fields, cut }: Use): string =>
  Object.entries({ parameters, paths, operators, sort, fields })
    .filter(([, names]) => names.length > 0)
    .map(([name, names]) => `${name} ${names.join(', ')}`)
    .concat(cut === true ? ['and more'] : [])
    .join('; ')

/** Describes the failures of a route: `404 ITEM_NOT_FOUND`. */
const describeFailures = ({ statuses, code }: Use): string =>
  [...statuses.filter((status) => status >= 400), ...code].join(' ')
