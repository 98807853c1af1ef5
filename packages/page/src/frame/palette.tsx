import type { VNode } from 'preact'
import { useEffect, useId, useRef, useState } from 'preact/hooks'

import { isJsonObject } from '@materials-mock/json'
import { clearFaults, listScenarios, clearJournal } from '../api/controls.js'
import { listItems } from '../api/items.js'
import { findServed } from '../api/resources.js'
import { toSearchQuery } from '../search/compose-list.js'
import { switchAccount } from '../session/account.js'
import { accounts, hasControls, session } from '../session/session.js'
import { useLoad, useTyped } from '../state/hooks.js'
import { navigate } from '../state/navigation.js'
import { toResource } from '../state/page-state.js'
import { chooseTheme, theme, THEMES } from '../state/preferences.js'
import { openScenario, targetName } from '../switches/sandboxes.js'
import { reset } from '../switches/snapshots.js'
import { Dialog } from '../widgets/dialog.js'
import { Failure, focusSoon, showError } from '../widgets/toasts.js'

export { Help } from './help.js'

interface Command {
  readonly label: string
  readonly kind: string
  readonly run: () => unknown
}

export function Palette({ onClose }: { readonly onClose: () => void }): VNode {
  const id = useId()
  const [word, setWord] = useState('')
  const [active, setActive] = useState(0)
  const { text, type, commit } = useTyped(word, setWord)
  const isEntered = useRef(false)
  const served = useLoad(findServed, [])
  const { resources = [] } = served.data ?? {}
  const { data: scenarios = [] } = useLoad(listScenarios, [])
  const found = useLoad(
    async (signal) => served.data && { word, items: await findItems(word, resources, signal) },
    [word, served.data],
  )
  const wanted = text.trim().toLowerCase()
  const isMatch = ({ label, kind }: Command): boolean =>
    `${kind} ${label}`.toLowerCase().includes(wanted)
  const isFound = found.data?.word === text
  const items = found.data?.items ?? []
  const commands = [
    ...listCommands(resources, scenarios).filter(isMatch),
    // What an earlier word has found stays while it matches.
    ...(isFound ? items : items.filter(isMatch)),
  ]
  const run = (command: Command | undefined): void => {
    isEntered.current = command === undefined // the first entry runs once it is found
    if (command === undefined) return commit()
    onClose()
    void Promise.resolve(command.run()).catch(showError)
  }
  useEffect(() => {
    if (isEntered.current && commands.length > 0) run(commands[0])
  }, [commands.length])
  const press = (event: KeyboardEvent): void => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (event.key === 'Enter') run(commands[active])
    else if (step === 0) return
    else move((active + step + commands.length) % Math.max(commands.length, 1))
    event.preventDefault()
  }
  const move = (next: number): void => {
    setActive(next)
    document.getElementById(`${id}-${next}`)?.scrollIntoView({ block: 'nearest' })
  }
  return (
    <Dialog title="Go to" onClose={onClose}>
      {() => (
        <div class="palette">
          <input
            type="text"
            role="combobox"
            aria-label="A resource, an item or an action"
            placeholder="A resource, an item or an action"
            aria-expanded={commands.length > 0}
            aria-controls={`${id}-list`}
            aria-activedescendant={commands.length > 0 ? `${id}-${active}` : undefined}
            autocomplete="off"
            spellcheck={false}
            autofocus
            value={text}
            onInput={({ currentTarget }) => {
              isEntered.current = false
              type(currentTarget.value)
              setActive(0)
            }}
            onKeyDown={press}
          />
          <ul id={`${id}-list`} role="listbox" aria-label="Found" hidden={commands.length === 0}>
            {commands.map((command, index) => (
              <li
                key={`${command.kind} ${command.label} ${index}`}
                id={`${id}-${index}`}
                role="option"
                aria-selected={index === active}
                onClick={() => run(command)}
              >
                <span>{command.label}</span>
                <small>{command.kind}</small>
              </li>
            ))}
          </ul>
          <Failure error={served.error ?? found.error} />
          {commands.length === 0 && isFound && <p class="muted">Nothing is found.</p>}
        </div>
      )}
    </Dialog>
  )
}

const go = (label: string, kind: string, run: () => unknown): Command => ({
  label,
  kind,
  run: () => {
    run()
    focusSoon('main')
  },
})

const act = (label: string, run: () => unknown): Command => ({ label, kind: 'action', run })

function listCommands(resources: readonly string[], scenarios: readonly string[]): Command[] {
  const newItem = document.getElementById('new-item')
  return [
    ...resources.map((name) => go(name, 'resource', () => navigate(toResource(name)))),
    ...(newItem === null ? [] : [act('New item', () => newItem.click())]),
    ...(hasControls.value === true
      ? [
          go('Requests', 'view', () => navigate({ view: 'requests' })),
          go('Controls', 'view', () => navigate({ view: 'controls' })),
          act(`Reset ${targetName()}`, reset),
          act(`Remove all faults of ${targetName()}`, clearFaults),
          act(`Clear the requests of ${targetName()}`, clearJournal),
          ...accounts.value
            .filter(({ username }) => username !== session.value?.username)
            .map(({ username }) => act(`See as ${username}`, () => switchAccount(username))),
        ]
      : []),
    ...THEMES.filter((each) => each !== theme.value).map((each) =>
      act(`Theme: ${each}`, () => chooseTheme(each)),
    ),
    act('Help and keys', () => document.getElementById('help')?.click()),
    act('API explorer', () => location.assign('explorer')),
    ...scenarios.map((name) => go(name, 'scenario', () => openScenario(name))),
  ]
}

/** The largest number of offered items of each resource. */
const MAX_ITEMS = 5

const PROJECTION = JSON.stringify({ limit: MAX_ITEMS, fields: { name: 1, slug: 1, data: 1 } })

/** Finds items of all resources as the search of a list does. */
async function findItems(
  word: string,
  resources: readonly string[],
  signal: AbortSignal,
): Promise<Command[]> {
  const condition = toSearchQuery(word)
  if (condition === undefined) return []
  const parameters = { query: JSON.stringify(condition), projection: PROJECTION }
  const lists = await Promise.all(
    resources.map(async (resource) =>
      (await listItems(resource, parameters, signal)).map(({ _id = '', name, slug, data }) => ({
        label: String(name ?? slug ?? (isJsonObject(data) ? data.name : undefined) ?? _id),
        kind: resource,
        run: () => {
          navigate({ ...toResource(resource, _id) })
          focusSoon('.item-pane')
        },
      })),
    ),
  )
  return lists.flat()
}
