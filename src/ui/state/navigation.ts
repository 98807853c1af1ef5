import { signal } from '@preact/signals'

import { applyChange, parsePageState, toAddress } from './page-state.js'
import type { PageState } from './page-state.js'

/** The state of the page, which the address bar shows. */
export const pageState = signal(parsePageState(location.search))

addEventListener('popstate', () => {
  pageState.value = parsePageState(location.search)
})

/** Changes parts of the state, as a new entry of the history. */
export const navigate = (change: Partial<PageState>): void => changeState(change, 'pushState')

/** Changes parts of the state in the present entry of the history, as typing does. */
export const adjust = (change: Partial<PageState>): void => changeState(change, 'replaceState')

function changeState(change: Partial<PageState>, method: 'pushState' | 'replaceState'): void {
  const next = applyChange(pageState.value, change)
  const address = toAddress(next)
  if (address === toAddress(pageState.value)) return
  history[method](null, '', address)
  pageState.value = next
}

/** A number that grows when items may have changed, so that lists load again. */
export const dataVersion = signal(0)

/** Lets lists load again. */
export const reloadData = (): void => {
  dataVersion.value += 1
}
