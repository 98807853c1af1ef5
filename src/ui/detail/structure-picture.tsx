import { useEffect, useRef, useState } from 'preact/hooks'
import type { VNode } from 'preact'

import type { Item } from '../api/item.js'
import type { MountedViewer } from '../structure/mount-viewer.js'
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
      const { structure, bonds, pose } = pageState.value
      viewer.current = mountViewer(place.current, latest.current, {
        settings: parseSettings(structure),
        onChange: (settings) => adjust({ structure: formatSettings(settings) }),
        switchedBonds: bonds.split(',').filter(Boolean),
        onSwitchBonds: (kinds) => adjust({ bonds: kinds.join() }),
        pose,
        onPose: (next) => adjust({ pose: next }),
      })
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
