import type { VNode } from 'preact'
import { useEffect } from 'preact/hooks'

import { chooseSingleKeys, hasSingleKeys } from '../state/preferences.js'
import { Dialog } from '../widgets/dialog.js'
import { Table } from '../widgets/table.js'
import { Palette } from './palette.js'

/** The keys and their actions, as the dialog lists them. */
const KEYS: readonly (readonly [keys: readonly string[], effect: string])[] = [
  [['Ctrl K'], 'Go to a resource or an item, or act'],
  [['/'], 'Search, or filter the requests'],
  [['j', '↓'], 'Go to the next row'],
  [['k', '↑'], 'Go to the row before'],
  [['Enter'], 'Open the row'],
  [['Escape'], 'Close the pane or the dialog'],
  [['←', '→'], 'Choose a tab, or turn a structure'],
  [['+', '−', '0'], 'Enlarge a structure, make it smaller, reset it'],
  [['Ctrl Space'], 'Complete what is typed in an editor'],
  [['Ctrl Enter'], 'Send the text of an editor'],
  [['?'], 'Show these keys'],
]

export interface KeysProps {
  readonly opened: 'keys' | 'palette' | undefined
  readonly open: (what: 'keys' | 'palette' | undefined) => void
}

/** Handles the keys of the whole page, and shows the dialogs that they open. */
export function Keys({ opened, open }: KeysProps): VNode | null {
  const close = (): void => open(undefined)
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      const { key, ctrlKey, metaKey, altKey, defaultPrevented } = event
      const target = event.composedPath()[0] as Element
      const isPalette = key.toLowerCase() === 'k' && (ctrlKey || metaKey) && !altKey
      if (defaultPrevented || (!isPalette && (ctrlKey || metaKey || altKey || isTyping(target))))
        return
      if (isPalette) open('palette')
      else if (key.length === 1 && !hasSingleKeys.value) return
      else if (key === '?') open('keys')
      else if (key === '/') findSearch()?.focus()
      else if (!moveInList(target, key)) return
      event.preventDefault()
    }
    // A dialog passes no key on.
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [])
  if (opened === undefined) return null
  return opened === 'palette' ? (
    <Palette onClose={close} />
  ) : (
    <Dialog title="Keys" onClose={close}>
      {() => (
        <>
          <Table
            rows={KEYS.map(([keys, effect]) => [
              keys.map((each) => <kbd key={each}>{each}</kbd>),
              effect,
            ])}
          />
          <label>
            <input
              type="checkbox"
              checked={hasSingleKeys.value}
              onChange={({ currentTarget }) => chooseSingleKeys(currentTarget.checked)}
            />{' '}
            Single keys: <kbd>/</kbd> <kbd>j</kbd> <kbd>k</kbd> <kbd>?</kbd>
          </label>
        </>
      )}
    </Dialog>
  )
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
