import type { VNode } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'

import type { Item } from '../api/item.js'
import { adjust, dataState } from '../state/navigation.js'
import type { MountedViewer } from '../structure/mount-viewer.js'
import { DEFAULT_SETTINGS, MAX_REPEATS } from '../structure/settings.js'
import type { ViewerSettings } from '../structure/settings.js'
import { Notice } from '../widgets/toasts.js'

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
      const { structure, bonds, pose } = dataState.value
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

const REPEATS: ReadonlySet<unknown> = new Set(
  Array.from({ length: MAX_REPEATS }, (_, index) => index + 1),
)

/** Returns the settings that differ from the defaults as JSON for the address, or an empty text. */
export function formatSettings(settings: ViewerSettings): string {
  const changed = Object.entries(settings).filter(
    ([name, value]) =>
      JSON.stringify(value) !== JSON.stringify(DEFAULT_SETTINGS[name as keyof ViewerSettings]),
  )
  return changed.length === 0 ? '' : JSON.stringify(Object.fromEntries(changed))
}

/** Parses settings of an address. Impossible settings are left out. */
export function parseSettings(text: string): Partial<ViewerSettings> {
  let parsed: Record<string, unknown>
  try {
    parsed = (JSON.parse(text || '{}') ?? {}) as Record<string, unknown>
  } catch {
    return {}
  }
  return Object.fromEntries(
    Object.entries(DEFAULT_SETTINGS).flatMap(([name, usual]): [string, unknown][] =>
      isSetting(name, usual, parsed[name]) ? [[name, parsed[name]]] : [],
    ),
  )
}

function isSetting(name: string, usual: unknown, value: unknown): boolean {
  if (name === 'supercell') return Array.isArray(value) && isSupercell(value)
  if (name === 'projection') return value === 'perspective' || value === 'parallel'
  return typeof value === typeof usual
}

const isSupercell = (repeats: readonly unknown[]): boolean =>
  repeats.length === 3 && repeats.every((each) => REPEATS.has(each))
