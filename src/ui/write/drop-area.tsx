import { useState } from 'preact/hooks'
import type { ComponentChildren, VNode } from 'preact'

import { showError } from '../widgets/toasts.js'
import { createFromFiles } from './create-items.js'

/** The properties of an area that takes files. */
export interface DropAreaProps {
  readonly resource: string
  /** Whether the server takes no writes. */
  readonly isReadOnly: boolean
  readonly children: ComponentChildren
}

const READ_ONLY = new Error('The server is read-only: a file creates nothing')

/** Creates items from dropped files. */
export function DropArea({ resource, isReadOnly, children }: DropAreaProps): VNode {
  const [isOver, setOver] = useState(false)
  return (
    <section
      class={isOver ? 'list-pane drop-over' : 'list-pane'}
      aria-label={resource}
      onDragOver={(event) => {
        if (!event.dataTransfer?.types.includes('Files')) return
        event.preventDefault() // even if nothing is created, the browser must not open the file
        setOver(!isReadOnly)
      }}
      onDragLeave={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(false)
      }}
      onDrop={(event) => {
        event.preventDefault()
        setOver(false)
        if (isReadOnly) showError(READ_ONLY)
        else void createFromFiles(resource, [...(event.dataTransfer?.files ?? [])])
      }}
    >
      {children}
    </section>
  )
}
