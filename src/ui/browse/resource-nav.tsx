import { useEffect, useRef } from 'preact/hooks'
import type { VNode } from 'preact'

import { countItems } from '../api/items.js'
import { dataVersion } from '../state/data-version.js'
import { toResource } from '../state/page-state.js'
import { useLoad } from '../state/use-load.js'
import { Link } from '../widgets/link.js'

/** The properties of the list of resources. */
export interface ResourceNavProps {
  readonly resources: readonly string[]
  readonly current: string
}

/** The resources with the number of items that the account sees. */
export function ResourceNav({ resources, current }: ResourceNavProps): VNode {
  const { data: counts } = useLoad(
    (signal) => Promise.all(resources.map((each) => countItems(each, undefined, signal))),
    [resources, dataVersion.value],
  )
  const nav = useRef<HTMLElement>(null)
  // On a narrow page, the resources are a line that scrolls.
  useEffect(() => {
    const link = nav.current?.querySelector('[aria-current]')
    link?.scrollIntoView({ inline: 'center', block: 'nearest' })
  }, [current, counts])
  return (
    <nav class="resources" aria-label="Resources" ref={nav}>
      <ul>
        {resources.map((resource, index) => (
          <li key={resource}>
            <Link to={toResource(resource)} current={resource === current}>
              <span>{resource}</span>
              {counts?.[index] !== undefined && <span class="count">{counts[index]}</span>}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}
