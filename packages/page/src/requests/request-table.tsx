import type { VNode } from 'preact'
import { useState } from 'preact/hooks'

import type { Json } from '@materials-mock/json'
import type { RequestSummary } from '../api/controls.js'
import { API } from '../http/send.js'
import { navigate } from '../state/navigation.js'
import { Link } from '../widgets/link.js'
import { TableHead } from '../widgets/table.js'

/** The number of requests that are drawn at first. */
const FIRST_REQUESTS = 100

const HEADS = [
  { title: 'Time', unit: 'UTC' },
  { title: 'Request' },
  { title: 'Query', class: 'wide-only' },
  { title: 'Status', class: 'numeric' },
  { title: 'ms', class: 'numeric ms' },
  { title: 'Fault' },
]

interface RequestTableProps {
  readonly requests: readonly RequestSummary[]
  readonly openId: string
}

export function RequestTable({ requests, openId }: RequestTableProps): VNode {
  const [limit, setLimit] = useState(FIRST_REQUESTS)
  return (
    <>
      <table class="items requests">
        <TableHead heads={HEADS} />
        <tbody>
          {requests.slice(0, limit).map((request) => (
            <RequestRow key={request._id} request={request} isOpen={request._id === openId} />
          ))}
        </tbody>
      </table>
      {requests.length > limit && (
        <p class="more">
          <button type="button" onClick={() => setLimit(limit * 2)}>
            Show older requests
          </button>
        </p>
      )}
    </>
  )
}

interface RequestRowProps {
  readonly request: RequestSummary
  readonly isOpen: boolean
}

/** A request in one line. */
function RequestRow({ request, isOpen }: RequestRowProps): VNode {
  const { _id, at, method, path, query, projection, status, ms, fault } = request
  return (
    <tr
      class={isOpen ? 'open' : undefined}
      onClick={(event) => {
        if ((event.target as Element).closest('a') === null) navigate({ request: _id })
      }}
    >
      <td class="numbers">{at.slice(11, 23)}</td>
      <th scope="row">
        <Link to={{ request: _id }} current={isOpen}>
          <span class={`method ${method.toLowerCase()}`}>{method}</span> {shortenPath(path)}
        </Link>
      </th>
      <td class="wide-only flexible">
        <code>{formatParameters(query, projection)}</code>
      </td>
      <td class={`numeric ${statusClass(status)}`}>{status ?? '–'}</td>
      <td class="numeric ms">{typeof ms === 'number' ? ms.toFixed(1) : '–'}</td>
      <td>
        {fault !== undefined && fault !== null && <span class="badge">{describeFault(fault)}</span>}
      </td>
    </tr>
  )
}

const shortenPath = (path: string): string =>
  path.startsWith(`${API}/`) ? path.slice(API.length) : path

const formatParameters = (query: Json, projection: Json): string =>
  [query, projection]
    .filter((each) => each !== null)
    .map((each) => JSON.stringify(each))
    .join(' ')

/** Returns the class of a status: good, warn for 4xx, or bad. */
export const statusClass = (status: number | null | undefined): string =>
  status === undefined || status === null || status >= 500 ? 'bad' : status >= 400 ? 'warn' : 'good'

/** Describes a fault in a word: its name, or what it did. */
export function describeFault(fault: NonNullable<RequestSummary['fault']>): string {
  const { name, drop, status, preset, delay, bandwidth, headers } = fault
  const slow = delay === undefined ? undefined : `+${delay} ms`
  const narrow = bandwidth === undefined ? undefined : `${bandwidth} bytes/s`
  return String(name ?? drop ?? status ?? preset ?? slow ?? narrow ?? headers ?? 'changed')
}
