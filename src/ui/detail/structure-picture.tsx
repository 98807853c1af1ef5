import { signal } from '@preact/signals'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { VNode } from 'preact'

import type { Item } from '../api/item.js'
import type { MountedViewer } from '../structure/mount-viewer.js'
import type { ViewerSettings } from '../structure/settings.js'
import { Notice } from '../widgets/notice.js'

/** What the reader has chosen to see, which stays from one material to the next. */
const settings = signal<Partial<ViewerSettings>>({})

/** A material's structure in 3D. The viewer is loaded with the first one. */
export function StructurePicture({ item }: { readonly item: Item }): VNode {
  const place = useRef<HTMLDivElement>(null)
  const latest = useRef(item)
  const viewer = useRef<MountedViewer>(null)
  const [error, setError] = useState<string>()
  useEffect(() => {
    let isGone = false
    const load = async (): Promise<void> => {
      const { mountViewer } = await import('../structure/mount-viewer.js')
      if (isGone || place.current === null) return
      const onChange = (changed: ViewerSettings): void => {
        settings.value = changed
      }
      const options = { settings: settings.value, onChange }
      viewer.current = mountViewer(place.current, latest.current, options)
    }
    load().catch((reason) => setError(`The viewer could not be loaded: ${String(reason)}`))
    return () => {
      isGone = true
      viewer.current?.dispose()
    }
  }, [])
  useEffect(() => {
    latest.current = item
    viewer.current?.update(item)
  }, [item])
  return (
    <div class="structure-picture" ref={place}>
      {error !== undefined && <Notice kind="error">{error}</Notice>}
    </div>
  )
}
