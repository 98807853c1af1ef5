import type { VNode } from 'preact'

import { send } from '../http/send.js'
import { useLoad } from '../state/hooks.js'
import { Notice } from '../widgets/toasts.js'

/** What clients have used of one route. */
interface Use extends UsedNames {
  readonly method: string
  readonly path: string
  readonly count: number
  readonly statuses: readonly number[]
  readonly code: readonly string[]
  /** Whether there is no room for all names that were used. */
  readonly cut?: boolean
}

type UsedNames = Readonly<
  Record<'parameters' | 'paths' | 'operators' | 'sort' | 'fields', readonly string[]>
>

/** What clients have relied on since the last reset: a row for each route, with what failed. */
export function FootprintTable({ version }: { readonly version: unknown }): VNode {
  const { data, error } = useLoad<{ readonly uses: readonly Use[] }>(
    (signal) => send('/__admin/footprint', { signal }),
    [version],
  )
  if (error !== undefined) return <Notice kind="error">{error.message}</Notice>
  if (data === undefined || data.uses.length === 0)
    return <Notice kind="info">No request has used anything yet.</Notice>
  return (
    <table class="items footprint">
      <thead>
        <tr>
          <th scope="col">Route</th>
          <th scope="col" class="numeric">
            Requests
          </th>
          <th scope="col">Used</th>
          <th scope="col">Broken</th>
        </tr>
      </thead>
      <tbody>
        {data.uses.map((use) => (
          <tr key={`${use.method} ${use.path}`}>
            <th scope="row">
              {use.method} {use.path}
            </th>
            <td class="numeric">{use.count}</td>
            <td>{describeUse(use)}</td>
            <td>{describeFailures(use)}</td>
          </tr>
        ))}
      </tbody>
    </table>
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
