import type { ComponentChildren, VNode } from 'preact'
import { useEffect, useRef } from 'preact/hooks'

import { navigate } from '../state/navigation.js'
import { DEFAULT_STATE } from '../state/page-state.js'
import { Boundary } from './toasts.js'

interface PaneProps {
  readonly id: string
  readonly label: string
  readonly title: ComponentChildren
  /** What stands at the right of the title. */
  readonly actions?: ComponentChildren
  /** What else closing it does. */
  readonly onClose?: (() => void) | undefined
  readonly children: ComponentChildren
}

/** A pane beside a list. Escape closes it. A pane that was opened by a key takes the focus. */
export function Pane({ id, label, title, actions, onClose, children }: PaneProps): VNode {
  const pane = useRef<HTMLElement>(null)
  useEffect(() => {
    const isByKey = document.activeElement?.matches('table :focus-visible') === true
    if (isByKey || matchMedia('(max-width: 900px)').matches) pane.current?.focus()
  }, [id])
  const close = (): void => {
    onClose?.()
    closePane()
  }
  return (
    <aside
      class="item-pane"
      aria-label={label}
      tabIndex={-1}
      ref={pane}
      onKeyDown={(event) => closeOnEscape(event, close)}
    >
      <header>
        {title}
        {actions}
        <button type="button" class="quiet close" aria-label="Close" onClick={close}>
          ×
        </button>
      </header>
      <Boundary>{children}</Boundary>
    </aside>
  )
}

/** Closes the pane for the key Escape. */
export function closeOnEscape(event: KeyboardEvent, close = closePane): void {
  if (event.key === 'Escape' && !event.defaultPrevented) close()
}

/** Closes the pane, and moves the focus back to its row. */
function closePane(): void {
  const link = document.querySelector<HTMLElement>('tr.open a')
  const { item, request, tab, part } = DEFAULT_STATE
  navigate({ item, request, tab, part })
  requestAnimationFrame(() => link?.focus())
}
