import type { VNode } from 'preact'
import { useEffect, useRef } from 'preact/hooks'

import { findServed } from '../api/resources.js'
import { ItemPane } from '../detail/item-pane.js'
import { Welcome } from './welcome.js'
import { useLoad } from '../state/hooks.js'
import { dataState } from '../state/navigation.js'
import { toResource } from '../state/page-state.js'
import { versionOf } from '../state/versions.js'
import { Link } from '../widgets/link.js'
import { Failure, Loading, Notice } from '../widgets/toasts.js'
import { ListPane } from './list-pane.js'
import { closePreview, findShown } from './preview.js'

/** The data, below what the page is for who opens it for the first time. */
export const DataView = (): VNode => (
  <>
    <Welcome />
    <Resources />
  </>
)

/** The resources, and the items of one of them. */
function Resources(): VNode {
  const { data: served, error } = useLoad(findServed, [], versionOf())
  if (served === undefined) return error === undefined ? <Loading /> : <Failure error={error} />
  const { resources, counts } = served
  const { resource: named, item } = dataState.value
  const resource = named || (resources.find((each) => each === 'materials') ?? resources[0])
  const shown = findShown(resource)
  return (
    <div class={item === '' ? 'data-view' : 'data-view has-item'}>
      <h1 class="visually-hidden">{resource ?? 'Data'}</h1>
      <ResourceNav resources={resources} counts={counts} current={resource ?? ''} />
      {resource === undefined ? (
        <Notice kind="info">The server has no fixtures.</Notice>
      ) : resources.includes(resource) ? (
        <ListPane key={resource} resource={resource} />
      ) : (
        <Notice kind="error">There is no resource {resource}.</Notice>
      )}
      {shown === undefined && <aside class="item-pane" aria-busy="true" />}
      {resource !== undefined && shown !== undefined && shown !== '' && (
        <ItemPane resource={resource} id={shown} onClose={item === '' ? closePreview : undefined} />
      )}
    </div>
  )
}

interface ResourceNavProps {
  readonly resources: readonly string[]
  /** The number of items of each resource, if it is known. */
  readonly counts: Readonly<Record<string, number>>
  readonly current: string
}

/** The resources with the number of items that the account sees. */
function ResourceNav({ resources, counts, current }: ResourceNavProps): VNode {
  const nav = useRef<HTMLElement>(null)
  // On a narrow page, the resources are a line that scrolls.
  useEffect(() => {
    const link = nav.current?.querySelector('[aria-current]')
    link?.scrollIntoView({ inline: 'center', block: 'nearest' })
  }, [current, counts])
  return (
    <nav class="resources" aria-label="Resources" ref={nav}>
      <ul>
        {resources.map((resource) => (
          <li key={resource}>
            <Link to={toResource(resource)} current={resource === current}>
              <span>{resource}</span>
              {counts[resource] !== undefined && <span class="count">{counts[resource]}</span>}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}
