import { useState } from 'preact/hooks'
import type { ComponentChildren, VNode } from 'preact'

import { createFromFiles } from './create-items.js'

/** The properties of an area that takes files. */
export interface DropAreaProps {
  readonly resource: string
  readonly children: ComponentChildren
}

/** Creates items from the files that are dropped on it. */
export function DropArea({ resource, children }: DropAreaProps): VNode {
  const [isOver, setOver] = useState(false)
  return (
    <section
      class={isOver ? 'list-pane drop-over' : 'list-pane'}
      aria-label={resource}
      onDragOver={(event) => {
        if (!event.dataTransfer?.types.includes('Files')) return
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(false)
      }}
      onDrop={(event) => {
        event.preventDefault()
        setOver(false)
        void createFromFiles(resource, [...(event.dataTransfer?.files ?? [])])
      }}
    >
      {children}
    </section>
  )
}
