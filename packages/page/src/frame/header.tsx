import type { ComponentChildren, VNode } from 'preact'

import { AccountSwitch } from '../session/account.js'
import { hasControls } from '../session/session.js'
import { frameState } from '../state/navigation.js'
import { VIEW_TITLES, VIEWS } from '../state/page-state.js'
import { hasSingleKeys } from '../state/preferences.js'
import { Link } from '../widgets/link.js'

interface HeaderProps {
  /** Opens the help. */
  readonly open: (what: 'help') => void
  /** What is on: they are in a place of their own, so that nothing moves when they come. */
  readonly children: ComponentChildren
}

/** The bar at the top: the views, what is on, the account, the explorer and the help. */
export function Header({ open, children }: HeaderProps): VNode {
  return (
    <header class="header">
      <Link class="brand" to={{ view: 'data', item: '' }} label="materials-mock">
        <Mark />
        <span>materials-mock</span>
      </Link>
      <nav class="views" aria-label="Views">
        {VIEWS.slice(0, hasControls.value ? undefined : 1).map((view) => (
          <Link key={view} to={{ view }} current={frameState.value.view === view}>
            {VIEW_TITLES[view]}
          </Link>
        ))}
      </nav>
      <div class="states">{children}</div>
      <div class="header-end">
        <AccountSwitch />
        <a class="quiet" href="explorer" aria-label="API explorer">
          API <span class="wide-only">explorer</span>
        </a>
        <button
          type="button"
          id="help"
          class="quiet"
          aria-label="Help, theme and keys"
          aria-keyshortcuts={hasSingleKeys.value ? '?' : undefined}
          onClick={() => open('help')}
        >
          ?
        </button>
      </div>
    </header>
  )
}

export const Mark = (): VNode => (
  <svg class="mark" viewBox="0 0 16 16" width="20" height="20" aria-hidden="true">
    <path d="M3 5v6l5 3 5-3V5L8 2zM8 8l5-3M8 8 3 5m5 3v6" fill="none" stroke="currentColor" />
    <g fill="currentColor">
      <circle cx="8" cy="2.4" r="1.7" />
      <circle cx="3" cy="11.2" r="1.7" />
      <circle cx="13" cy="11.2" r="1.7" />
    </g>
  </svg>
)
