import type { ComponentChildren, VNode } from 'preact'
import { useEffect, useRef } from 'preact/hooks'

import { navigate } from '../state/navigation.js'
import { DEFAULT_STATE } from '../state/page-state.js'
import { Boundary } from './toasts.js'

interface PaneProps {
  readonly id: string
  readonly label: string
  readonly title: ComponentChildren
  readonly children: ComponentChildren
}

/** A pane beside a list. Escape closes it. A pane that was opened by a key takes the focus. */
export function Pane({ id, label, title, children }: PaneProps): VNode {
  const pane = useRef<HTMLElement>(null)
  useEffect(() => {
    const isByKey = document.activeElement?.matches('table :focus-visible') === true
    if (isByKey || matchMedia('(max-width: 900px)').matches) pane.current?.focus()
  }, [id])
  return (
    <aside class="item-pane" aria-label={label} tabIndex={-1} ref={pane} onKeyDown={closeOnEscape}>
      <header>
        <div>{title}</div>
        <button type="button" class="quiet close" aria-label="Close" onClick={closePane}>
          ×
        </button>
      </header>
      <Boundary>{children}</Boundary>
    </aside>
  )
}

/** Closes the pane for the key Escape. */
export function closeOnEscape(event: KeyboardEvent): void {
  if (event.key === 'Escape' && !event.defaultPrevented) closePane()
}

/** Closes the pane, and moves the focus back to its row. */
function closePane(): void {
  const link = document.querySelector<HTMLElement>('tr.open a')
  const { item, request, tab, part } = DEFAULT_STATE
  navigate({ item, request, tab, part })
  requestAnimationFrame(() => link?.focus())
}
