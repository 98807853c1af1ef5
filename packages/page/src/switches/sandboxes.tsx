import { signal } from '@preact/signals'
import type { VNode } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'

import { ApiError } from '@materials-mock/client'
import { asError } from '@materials-mock/json'
import {
  applyScenario,
  endSandbox,
  getScenario,
  listSandboxes,
  makeSandbox,
  listScenarios,
} from '../api/controls.js'
import { isConnected } from '../events/connection.js'
import { ROOT } from '../http/send.js'
import { useLoad } from '../state/hooks.js'
import { frameState, navigate, pageState } from '../state/navigation.js'
import { DEFAULT_STATE, parsePageState, toAddress } from '../state/page-state.js'
import { reloadAll } from '../state/versions.js'
import { ActionButton, ActionForm } from '../widgets/action-button.js'
import { saveFile } from '../widgets/code-block.js'
import { Link } from '../widgets/link.js'
import { Outcome, showError } from '../widgets/toasts.js'

/** The names of the sandboxes. */
const sandboxes = signal<readonly string[] | undefined>(undefined)

async function loadSandboxes(): Promise<readonly string[]> {
  sandboxes.value = (await listSandboxes()).map(({ name }) => name)
  return sandboxes.value
}

/** Whether the page shows a sandbox that the server does not have. */
export const isSandboxGone = (): boolean =>
  frameState.value.sandbox !== '' && sandboxes.value?.includes(frameState.value.sandbox) === false

/** Returns the target of the controls: `the server`, or `sandbox ann`. */
export const targetName = (): string =>
  frameState.value.sandbox === '' ? 'the server' : `sandbox ${frameState.value.sandbox}`

/** A line at the top while the page shows a sandbox. */
export function SandboxLine(): VNode | null {
  const { sandbox, scenario } = frameState.value
  // The sandbox may have ended when the connection does.
  useLoad(async () => sandbox !== '' && loadSandboxes(), [sandbox, isConnected.value])
  if (sandbox === '') return null
  return (
    <div class="top-line sandbox-line" role="status">
      <span
        title={`Sandbox ${sandbox}${scenario === '' ? '' : `. Made for the scenario ${scenario}`}`}
      >
        {isSandboxGone() && 'There is no sandbox '}
        <strong>{isSandboxGone() ? sandbox : scenario || sandbox}</strong>
      </span>
      {isSandboxGone() && (
        <ActionButton class="small" onAct={() => make(sandbox)}>
          Create it
        </ActionButton>
      )}
      <Link class="button small" to={{ sandbox: '', scenario: '' }}>
        Leave sandbox
      </Link>
    </div>
  )
}

async function make(name: string): Promise<void> {
  await makeSandbox(name)
  await loadSandboxes().catch(showError) // it is made all the same
  if (name === frameState.value.sandbox) reloadAll()
  else choose(name)
}

/** Whether the focus goes to the chosen sandbox when its view appears. */
let isChosenHere = false

function choose(sandbox: string): void {
  isChosenHere = sandbox !== frameState.value.sandbox
  navigate({ sandbox, scenario: '' })
}

async function end(name: string): Promise<void> {
  if (name === frameState.value.sandbox) choose('')
  await endSandbox(name)
  await loadSandboxes().catch(showError)
}

/** The attributes of an input for the name of a sandbox or a snapshot. In a path, `..` would lead out of it. */
export const NAME = {
  name: 'name',
  required: true,
  pattern: String.raw`(?!\.{1,2}$)[A-Za-z0-9._\-]{1,100}`,
  title: 'Up to 100 letters, digits, "-", "_" and "."; not "." or ".."',
  autocomplete: 'off',
  spellcheck: false,
}

/** Chooses the sandbox that the page shows, makes sandboxes and ends them. */
export function Sandboxes(): VNode {
  const list = useRef<HTMLUListElement>(null)
  const input = useRef<HTMLInputElement>(null)
  const [message, setMessage] = useState('')
  const loaded = useLoad(loadSandboxes, [])
  useEffect(() => {
    if (isChosenHere) list.current?.querySelector<HTMLElement>('[aria-pressed=true]')?.focus()
    isChosenHere = false
  }, [])
  const submit = async (values: FormData): Promise<void> => {
    const name = String(values.get('name'))
    setMessage('')
    await loadSandboxes()
    // Making it again would lose its state.
    if (sandboxes.value?.includes(name))
      throw new Error(`there is a sandbox ${name} already; choose another name`)
    await make(name)
  }
  const refuse = (reason: unknown): void => {
    setMessage(asError(reason).message)
    input.current?.focus()
  }
  const current = frameState.value.sandbox
  return (
    <>
      <Outcome of={{ ...loaded, data: sandboxes.value }} />
      <ul class="snapshots stack" ref={list} aria-label="Sandboxes">
        {['', ...(sandboxes.value ?? [])].map((name) => (
          <li key={name} class="button-line">
            <span>
              <button type="button" aria-pressed={name === current} onClick={() => choose(name)}>
                {name === '' ? 'The server itself' : name}
              </button>
            </span>
            {name !== '' && (
              <ActionButton class="small bad" label={`End ${name}`} onAct={() => end(name)}>
                End
              </ActionButton>
            )}
          </li>
        ))}
      </ul>
      <ActionForm action="Create" onAct={submit} onError={refuse}>
        <label>
          Name
          <input
            {...NAME}
            ref={input}
            aria-label="Name of the sandbox"
            placeholder="e.g. ann"
            aria-invalid={message !== ''}
            aria-describedby="sandbox-error"
          />
        </label>
      </ActionForm>
      <p id="sandbox-error" class="json-error" role="status">
        {message}
      </p>
    </>
  )
}

/** Opens the page in a scenario, which is applied to a sandbox of its own. */
export const openScenario = (name: string): void =>
  location.assign(toAddress({ ...DEFAULT_STATE, scenario: name }))

/** The scenarios, each of which opens in a sandbox of its own, and the state of the page as a new one. */
export function ScenarioList(): VNode {
  const loaded = useLoad(listScenarios, [])
  const names = loaded.data
  return (
    <>
      <Outcome of={loaded} />
      {names?.length === 0 && <p class="muted">The fixtures have no scenarios.json.</p>}
      <ul class="button-line">
        {names?.map((name) => (
          <li key={name}>
            <button
              type="button"
              aria-pressed={name === frameState.value.scenario}
              onClick={() => openScenario(name)}
            >
              {name}
            </button>
          </li>
        ))}
      </ul>
      <div class="button-line">
        {frameState.value.scenario !== '' && (
          <ActionButton
            class="small"
            onAct={() => applyScenario(frameState.value.scenario).then(reloadAll)}
          >
            Apply {frameState.value.scenario} again
          </ActionButton>
        )}
        <ActionButton class="small" onAct={saveScenario}>
          Save as scenario
        </ActionButton>
      </div>
    </>
  )
}

/** Saves how the state differs from the fixtures, as a `scenarios.json` with one scenario. */
async function saveScenario(): Promise<void> {
  const text = JSON.stringify({ saved: await getScenario() }, undefined, 2)
  saveFile(new Blob([`${text}\n`], { type: 'application/json' }), 'scenarios.json')
}

/**
 * In a sandbox of this browser's own, to which it is applied once.
 * @param sandbox that of the address
 * @throws ApiError, Error without controls
 */
export async function enterScenario(name: string, sandbox: string): Promise<void> {
  const prefix = `${name.replaceAll(/[^\w.-]+/g, '-').slice(0, 60)}-`
  const key = `materials-mock.scenario${ROOT}/${name}`
  const kept = sandbox.startsWith(prefix) ? sandbox : localStorage.getItem(key)
  const own = kept ?? prefix + Math.random().toString(16).slice(2, 10)
  const known = await listSandboxes().catch((error: unknown) => {
    if (!(error instanceof ApiError) || error.status !== 404) throw error
    throw new Error('a scenario needs the controls, which this server does not have (--admin)')
  })
  let view: string | undefined
  if (!known.some((each) => each.name === own)) {
    await makeSandbox(own)
    try {
      view = (await applyScenario(name, own)).view
    } catch (error) {
      await endSandbox(own)
      throw error
    }
  }
  localStorage.setItem(key, own)
  view ??= localStorage.getItem(`${key}?`) ?? ''
  localStorage.setItem(`${key}?`, view)
  if (own === sandbox) return
  // An address that says no more than the scenario leads where the scenario says.
  const bare = toAddress({ ...DEFAULT_STATE, scenario: name })
  const there = toAddress(pageState.value) === bare ? parsePageState(view) : pageState.value
  location.replace(toAddress({ ...there, scenario: name, sandbox: own }))
  await new Promise(() => undefined) // the page goes away
}
