import type { VNode } from 'preact'

import { About } from '../browse/welcome.js'
import {
  chooseSingleKeys,
  chooseTheme,
  hasSingleKeys,
  theme,
  THEMES,
} from '../state/preferences.js'
import { Dialog } from '../widgets/dialog.js'
import { Table } from '../widgets/table.js'

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

/** What the server is, the theme and the keys. */
export function Help({ onClose }: { readonly onClose: () => void }): VNode {
  return (
    <Dialog title="Help" onClose={onClose}>
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
