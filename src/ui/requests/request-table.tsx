import { useState } from 'preact/hooks'
import type { VNode } from 'preact'

import type { RequestSummary } from '../api/journal-types.js'
import { moveFocus } from '../table/move-focus.js'
import { RequestRow } from './request-row.js'

/** The number of requests that are drawn at first. */
const FIRST_REQUESTS = 100

/** The properties of the table of requests. */
export interface RequestTableProps {
  readonly requests: readonly RequestSummary[]
  readonly openId: string
  readonly comparedId: string
}

/** The requests, the newest first. */
export function RequestTable({ requests, openId, comparedId }: RequestTableProps): VNode {
  const [limit, setLimit] = useState(FIRST_REQUESTS)
  return (
    <>
      <table class="items requests">
        <thead>
          <tr>
            <th scope="col">Time</th>
            <th scope="col">Request</th>
            <th scope="col" class="wide-only">
              Query
            </th>
            <th scope="col" class="numeric">
              Status
            </th>
            <th scope="col" class="numeric ms">
              ms
            </th>
            <th scope="col">Fault</th>
          </tr>
        </thead>
        <tbody onKeyDown={moveFocus}>
          {requests.slice(0, limit).map((request) => (
            <RequestRow
              key={request._id}
              request={request}
              isOpen={request._id === openId}
              isCompared={request._id === comparedId}
            />
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
