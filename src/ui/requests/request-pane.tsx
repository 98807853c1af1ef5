import type { VNode } from 'preact'

import { getRequest } from '../api/journal.js'
import type { RequestRecord } from '../api/journal-types.js'
import { feed } from '../events/event-stream.js'
import { formatLocalTime } from '../table/format-value.js'
import { adjust, navigate, pageState } from '../state/navigation.js'
import { useLoad } from '../state/use-load.js'
import { CopyButton } from '../widgets/copy-button.js'
import { Link } from '../widgets/link.js'
import { Notice } from '../widgets/notice.js'
import { Pane } from '../widgets/pane.js'
import { Tabs } from '../widgets/tabs.js'
import { showError, showToast } from '../widgets/toasts.js'
import { Comparison } from './comparison.js'
import { RequestPart, ResponsePart } from './request-parts.js'
import { describeFault, statusClass } from './request-row.js'
import { toDataState } from './open-in-data.js'
import { replay, toCurl } from './replay.js'

/** A request with all that was recorded of it, beside the list. */
export function RequestPane({ id }: { readonly id: string }): VNode {
  const { compare } = pageState.value
  const status = feed.value.find(({ _id }) => _id === id)?.status
  const {
    data: record,
    error,
    isLoading,
  } = useLoad((signal) => getRequest(id, signal), [id, status])
  return (
    <Pane
      id={id}
      label="The open request"
      title={<h2 class="title">{record === undefined ? id : `${record.method} ${record.path}`}</h2>}
    >
      {error !== undefined && <Notice kind="error">{error.message}</Notice>}
      {record === undefined && !isLoading && (
        <Notice kind="info">Newer requests have replaced this one in the journal.</Notice>
      )}
      {record !== undefined && <Content record={record} compare={compare} />}
    </Pane>
  )
}

interface ContentProps {
  readonly record: RequestRecord
  readonly compare: string
}

function Content({ record, compare }: ContentProps): VNode {
  const { _id, status, ms, fault, at } = record
  const list = toDataState(record)
  return (
    <>
      <p class="facts-line">
        <strong class={statusClass(status)}>{status ?? 'no answer'}</strong>
        {typeof ms === 'number' && <span>{ms.toFixed(1)} ms</span>}
        <time dateTime={at}>{formatLocalTime(at)}</time>
        {fault !== undefined && fault !== null && <span class="badge">{describeFault(fault)}</span>}
      </p>
      <div class="button-line">
        <button type="button" onClick={() => void replayAndTell(record)}>
          Replay
        </button>
        <CopyButton text={toCurl(record)} class="">
          Copy as curl
        </CopyButton>
        {list !== undefined && (
          <Link class="button" to={list}>
            Open in Data
          </Link>
        )}
        {compare === '' ? (
          <button type="button" onClick={() => navigate({ compare: _id })}>
            Compare
          </button>
        ) : (
          <button type="button" onClick={() => navigate({ compare: '' })}>
            Stop comparing
          </button>
        )}
      </div>
      {compare === _id && (
        <Notice kind="info">Open another request to compare this one with.</Notice>
      )}
      {compare !== '' && compare !== _id ? (
        <Comparison firstId={compare} second={record} />
      ) : (
        <Tabs
          label="The request"
          chosen={pageState.value.tab}
          onChoose={(tab) => adjust({ tab })}
          tabs={[
            { name: 'Response', content: () => <ResponsePart record={record} /> },
            { name: 'Request', content: () => <RequestPart record={record} /> },
          ]}
        />
      )}
    </>
  )
}

async function replayAndTell(record: RequestRecord): Promise<void> {
  try {
    showToast({ text: `Replayed: ${await replay(record)}` })
  } catch (error) {
    showError(error)
  }
}
