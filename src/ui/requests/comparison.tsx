import type { VNode } from 'preact'

import type { RequestRecord } from '../api/journal-records.js'
import { getRequest } from '../api/journal.js'
import { useLoad } from '../state/hooks.js'
import { Notice } from '../widgets/toasts.js'
import { diffValues } from './diff-values.js'

/** The properties of a comparison. */
export interface ComparisonProps {
  readonly firstId: string
  readonly second: RequestRecord
}

/** The most differences that are shown. */
const MAX_SHOWN = 300

/** The fields in which two requests differ. */
export function Comparison({ firstId, second }: ComparisonProps): VNode {
  const { data: first, isLoading } = useLoad((signal) => getRequest(firstId, signal), [firstId])
  if (first === undefined) {
    const text = isLoading
      ? 'Loading'
      : 'Newer requests have replaced the other one in the journal.'
    return <Notice kind="info">{text}</Notice>
  }
  const differences = diffValues(first as never, second as never).filter(
    ({ path }) => path !== '_id' && path !== 'at',
  )
  if (differences.length === 0)
    return <Notice kind="info">The two requests and their responses are the same.</Notice>
  return (
    <table class="facts differences">
      <thead>
        <tr>
          <th scope="col">Field</th>
          <th scope="col">{first._id.replace(/^0+/, '#')}</th>
          <th scope="col">{second._id.replace(/^0+/, '#')}</th>
        </tr>
      </thead>
      <tbody>
        {differences.slice(0, MAX_SHOWN).map(({ path, left, right }) => (
          <tr key={path}>
            <th scope="row">{path}</th>
            <td>{left ?? '–'}</td>
            <td>{right ?? '–'}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
