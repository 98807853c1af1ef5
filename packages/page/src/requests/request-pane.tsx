import type { VNode } from 'preact'

import type { JournalItem, JournalResponse } from '@materials-mock/api'
import { isJsonObject, tryParseJson } from '@materials-mock/json'
import type { Json, JsonObject } from '@materials-mock/json'
import { getRequest } from '../api/controls.js'
import { API } from '../http/send.js'
import { formatPage, formatSize, pageNumber, pageSize, skipOf } from '../search/compose-list.js'
import { accounts } from '../session/session.js'
import { useLoad } from '../state/hooks.js'
import { adjust, requestsState } from '../state/navigation.js'
import { DEFAULT_DATA, DEFAULT_REQUESTS } from '../state/page-state.js'
import type { PageState } from '../state/page-state.js'
import { formatMilliseconds } from '../table/format-value.js'
import { ActionButton } from '../widgets/action-button.js'
import { CodeBlock, CopyButton } from '../widgets/code-block.js'
import { Link } from '../widgets/link.js'
import { Pane } from '../widgets/pane.js'
import { Table } from '../widgets/table.js'
import { Tabs } from '../widgets/tabs.js'
import { Failure, Notice, showToast } from '../widgets/toasts.js'
import { replay, toCurl } from './replay.js'
import { describeFault, statusClass } from './request-table.js'

interface RequestPaneProps {
  readonly id: string
  /** As the list has it: when it is known, the request loads again. */
  readonly status: number | null | undefined
}

export function RequestPane({ id, status }: RequestPaneProps): VNode {
  const {
    data: record,
    error,
    isLoading,
  } = useLoad((signal) => getRequest(id, signal), [], status, id)
  return (
    <Pane
      id={id}
      label="The open request"
      title={<h2 class="title">{record === undefined ? id : `${record.method} ${record.path}`}</h2>}
    >
      <Failure error={error} />
      {record === undefined && error === undefined && !isLoading && (
        <Notice kind="info">Newer requests have replaced this one in the journal.</Notice>
      )}
      {record !== undefined && <Content record={record} />}
    </Pane>
  )
}

function Content({ record }: { readonly record: JournalItem }): VNode {
  const { status, ms, fault, at } = record
  const list = toDataState(record)
  return (
    <>
      <p class="button-line muted">
        <strong class={statusClass(status)}>{status ?? 'no answer'}</strong>
        {typeof ms === 'number' && <span>{ms.toFixed(1)} ms</span>}
        <time dateTime={at}>{formatMilliseconds(Date.parse(at))} UTC</time>
        {fault !== undefined && fault !== null && <span class="badge">{describeFault(fault)}</span>}
      </p>
      <div class="button-line">
        <ActionButton onAct={async () => showToast({ text: `Replayed: ${await replay(record)}` })}>
          Replay
        </ActionButton>
        <CopyButton class="" text={async () => toCurl(record)}>
          Copy as curl
        </CopyButton>
        {list !== undefined && (
          <Link class="button" to={list}>
            Open in Data
          </Link>
        )}
      </div>
      <Tabs
        label="The request"
        chosen={requestsState.value.part}
        onChoose={(part) => adjust({ part })}
        tabs={[
          { name: 'Response', content: () => <ResponsePart record={record} /> },
          { name: 'Request', content: () => <RequestPart record={record} /> },
        ]}
      />
    </>
  )
}

const RequestPart = ({ record }: { readonly record: JournalItem }): VNode => (
  <div class="stack">
    <Part title="URL" value={record.url} />
    <Part title="query" value={record.query} />
    <Part title="projection" value={record.projection} />
    <Part title="Body" value={record.body} />
    <HeaderTable headers={record.headers} />
  </div>
)

function ResponsePart({ record: { response } }: { readonly record: JournalItem }): VNode {
  if (response === null) return <Notice kind="info">No response was sent.</Notice>
  return (
    <div class="stack">
      {describeBody(response) !== undefined && <p class="muted">{describeBody(response)}</p>}
      <Part title="Body" value={response.body} />
      <HeaderTable headers={response.headers} />
    </div>
  )
}

/** Describes why a body is incomplete. */
function describeBody({ bodyState, cut, size }: JournalResponse): string | undefined {
  const bytes = size === null ? '' : `, ${size} bytes in all`
  if (cut !== undefined) return `The journal has ${cut}`
  if (bodyState === 'dropped') return `Newer responses have taken the memory of this body${bytes}`
  if (bodyState === 'binary') return `The body is no text${bytes}`
  if (bodyState === 'stream') return 'The body was sent as a stream, which is not recorded'
  return undefined
}

const Part = ({ title, value }: { readonly title: string; readonly value: Json }): VNode | null =>
  value === null ? null : (
    <section>
      <h3>{title}</h3>
      <CodeBlock
        code={typeof value === 'string' ? value : JSON.stringify(value, null, 2)}
        label={title}
      />
    </section>
  )

const HeaderTable = ({ headers }: { readonly headers: JsonObject }): VNode => (
  <section>
    <h3>Headers</h3>
    <Table rows={Object.entries(headers).map(([name, value]) => [name, String(value)])} />
  </section>
)

/** As its account; undefined if it is no list, or the inputs for JSON can't show it. */
function toDataState(record: JournalItem): Partial<PageState> | undefined {
  const { method, path, resource, url, accountId } = record
  if (method !== 'GET' || resource === null || path !== `${API}/${resource}`) return undefined
  const parameters = new URL(url, location.origin).searchParams
  const { query = '', projection = '{}', ...others } = Object.fromEntries(parameters)
  const parsed = tryParseJson(projection)
  if (!isJsonObject(parsed) || Object.keys(others).length > 0) return undefined
  const { sort, fields, limit = pageSize(''), skip = 0 } = parsed
  const page = 1 + Number(skip) / Number(limit)
  if (pageSize(String(limit)) !== limit) return undefined
  if (skipOf(pageNumber(formatPage(page)), limit) !== skip) return undefined
  const username = accounts.value.find(({ _id }) => _id === accountId)?.username ?? ''
  return {
    ...DEFAULT_DATA,
    ...DEFAULT_REQUESTS,
    view: 'data',
    as: username === accounts.value[0]?.username ? '' : username,
    resource,
    panel: 'query',
    query,
    sort: sort === undefined ? '' : JSON.stringify(sort),
    fields: fields === undefined ? '' : JSON.stringify(fields),
    size: formatSize(limit),
    page: formatPage(page),
  }
}
