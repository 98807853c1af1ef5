import type { VNode } from 'preact'

import { findServed } from '../api/resources.js'
import { pageState } from '../state/navigation.js'
import { useLoad } from '../state/use-load.js'
import { Notice } from '../widgets/notice.js'
import { ItemPane } from '../detail/item-pane.js'
import { ListPane } from './list-pane.js'
import { ResourceNav } from './resource-nav.js'

/** The resource that is shown first, if the server has it. */
const FIRST_RESOURCE = 'materials'

/** The resources, and the items of one of them. */
export function DataView(): VNode {
  const { data: served, error } = useLoad(findServed, [])
  if (error !== undefined) return <Notice kind="error">{error.message}</Notice>
  if (served === undefined) return <div class="data-view" aria-busy="true" />
  const { resources, isReadOnly } = served
  const named = pageState.value.resource
  const first = resources.includes(FIRST_RESOURCE) ? FIRST_RESOURCE : resources[0]
  const resource = named === '' ? first : named
  const { item } = pageState.value
  return (
    <div class={item === '' ? 'data-view' : 'data-view has-item'}>
      <h1 class="visually-hidden">{resource ?? 'Data'}</h1>
      <ResourceNav resources={resources} current={resource ?? ''} />
      {resource === undefined ? (
        <Notice kind="info">The server has no fixtures.</Notice>
      ) : resources.includes(resource) ? (
        <ListPane key={resource} resource={resource} isReadOnly={isReadOnly} />
      ) : (
        <Notice kind="error">There is no resource {resource}.</Notice>
      )}
      {resource !== undefined && item !== '' && (
        <ItemPane resource={resource} id={item} isReadOnly={isReadOnly} />
      )}
    </div>
  )
}
