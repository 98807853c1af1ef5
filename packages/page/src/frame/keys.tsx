import type { VNode } from 'preact'
import { useEffect } from 'preact/hooks'

import { About } from '../browse/welcome.js'
import { useLoad } from '../state/hooks.js'
import {
  chooseSingleKeys,
  chooseTheme,
  hasSingleKeys,
  theme,
  THEMES,
} from '../state/preferences.js'
import { Dialog } from '../widgets/dialog.js'
import { Table } from '../widgets/table.js'
import { Failure } from '../widgets/toasts.js'

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
  [['?'], 'Help'],
]

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
  if (opened === 'palette')
    return later === undefined ? <Failure error={error} /> : <later.Palette onClose={close} />
  return (
    <Dialog title="Help" onClose={close}>
      {() => (
        <div class="stack help">
          <div class="welcome">
            <About />
          </div>
          <a href="explorer">API explorer</a>
          <fieldset class="button-line">
            <legend>Theme</legend>
            {THEMES.map((each) => (
              <label key={each}>
                <input
                  type="radio"
                  name="theme"
                  checked={theme.value === each}
                  onChange={() => chooseTheme(each)}
                />{' '}
                {each}
              </label>
            ))}
          </fieldset>
          <h3>Keys</h3>
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
        </div>
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
