import type { VNode } from 'preact'
import { useEffect } from 'preact/hooks'

import { useLoad } from '../state/hooks.js'
import { hasSingleKeys } from '../state/preferences.js'
import { Failure } from '../widgets/toasts.js'

export interface KeysProps {
  readonly opened: 'help' | 'palette' | undefined
  readonly open: (what: 'help' | 'palette' | undefined) => void
}

/** Handles the keys of the whole page, and shows the dialogs that they open. */
export function Keys({ opened, open }: KeysProps): VNode | null {
  const close = (): void => open(undefined)
  // It loads after what is seen first, and before somebody types into it.
  const { data: later, error } = useLoad(() => import('./palette.js'), [])
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      const { key, ctrlKey, metaKey, altKey, defaultPrevented } = event
      const target = event.composedPath()[0] as Element
      const isPalette = key.toLowerCase() === 'k' && (ctrlKey || metaKey) && !altKey
      if (defaultPrevented || (!isPalette && (ctrlKey || metaKey || altKey || isTyping(target))))
        return
      if (isPalette) open('palette')
      else if (key.length === 1 && !hasSingleKeys.value) return
      else if (key === '?') open('help')
      else if (key === '/') findSearch()?.focus()
      else if (!moveInList(target, key)) return
      event.preventDefault()
    }
    // A dialog passes no key on.
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [])
  if (opened === undefined) return null
  if (later === undefined) return <Failure error={error} />
  return opened === 'palette' ? <later.Palette onClose={close} /> : <later.Help onClose={close} />
}

/** Returns the input that searches: of a list, or of the requests. */
const findSearch = (): HTMLElement | null | undefined =>
  document.querySelector<HTMLElement>('[type=search]') ??
  document
    .querySelector('.request-bar .json-editor')
    ?.shadowRoot?.querySelector<HTMLElement>('[contenteditable]')

const isTyping = (target: Element): boolean =>
  target.closest('input:not([type=checkbox]), textarea, select, [contenteditable]') !== null

/**
 * From outside of a list, `j` and `k` go to the open row, or to the first.
 * @returns whether it is a key of lists
 */
function moveInList(target: Element, key: string): boolean {
  const isNext = key === 'j' || key === 'ArrowDown'
  if (!isNext && key !== 'k' && key !== 'ArrowUp') return false
  const row = target.closest('table.items tbody tr, .resources li')
  if (row === null && key.startsWith('Arrow')) return false // it scrolls
  const table = document.querySelector('table.items tbody')
  const next =
    row === null
      ? (table?.querySelector('tr.open') ?? table?.firstElementChild)
      : isNext
        ? row.nextElementSibling
        : row.previousElementSibling
  next?.querySelector<HTMLElement>('a')?.focus()
  return true
}
