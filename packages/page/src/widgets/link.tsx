import type { ComponentChildren, VNode } from 'preact'

import { navigate, pageState } from '../state/navigation.js'
import { applyChange, toAddress } from '../state/page-state.js'
import type { PageState } from '../state/page-state.js'

interface LinkProps {
  /** The parts of the state that the link changes. */
  readonly to: Partial<PageState>
  readonly current?: boolean
  readonly class?: string
  readonly label?: string
  readonly children: ComponentChildren
}

/** A link to another state of the page. It has an address, so that it can be copied. */
export function Link({ to, current = false, label, children, ...rest }: LinkProps): VNode {
  return (
    <a
      class={rest.class}
      href={toAddress(applyChange(pageState.value, to))}
      aria-current={current ? 'page' : undefined}
      aria-label={label}
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return
        event.preventDefault()
        navigate(to)
      }}
    >
      {children}
    </a>
  )
}
