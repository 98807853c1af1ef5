import { useEffect, useRef, useState } from 'preact/hooks'
import type { VNode } from 'preact'

import type { Item } from '../api/item.js'
import type { MountedViewer } from '../structure/mount-viewer.js'
import type { ViewerSettings } from '../structure/settings.js'
import { adjust, pageState } from '../state/navigation.js'
import { Notice } from '../widgets/notice.js'
import { formatSettings, parseSettings } from './viewer-settings.js'

/** A material's structure in 3D. The viewer is loaded with the first one; the address has its settings. */
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
      const { structure, pose } = pageState.value
      const settings = parseSettings(structure)
      const options = { settings, onChange: keepSettings, pose, onPose: keepPose }
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

const keepSettings = (settings: ViewerSettings): void =>
  adjust({ structure: formatSettings(settings) })

const keepPose = (pose: string): void => adjust({ pose })
