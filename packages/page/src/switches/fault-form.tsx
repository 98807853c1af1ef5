import type { VNode } from 'preact'
import { useRef, useState } from 'preact/hooks'

import type { Fault } from '@materials-mock/api'
import { asError } from '@materials-mock/json'
import { addFault } from '../api/controls.js'
import { describeNewFault, findServed } from '../api/resources.js'
import { listDetails } from '../http/send.js'
import { JsonDialog } from '../json/json-editor.js'
import { formatJson } from '../json/json-text.js'
import { accounts } from '../session/session.js'
import { useLoad } from '../state/hooks.js'
import { useAction } from '../widgets/action-button.js'
import { showToast } from '../widgets/toasts.js'
import { reloadRules } from './faults.js'

interface FaultField {
  readonly name: keyof Fault
  readonly label: string
  /** An example of a text, or the name of no choice. */
  readonly hint?: string
  /** The choices: values with their texts. Without choices, any text can be typed. */
  readonly options?: Readonly<Record<string, string>>
}

/** Each value of a field, with its text. */
type Texts<Name extends keyof Fault> = Readonly<Record<Extract<Fault[Name], string>, string>>

const METHODS: Texts<'method'> = {
  GET: 'GET',
  HEAD: 'HEAD',
  POST: 'POST',
  PUT: 'PUT',
  PATCH: 'PATCH',
  DELETE: 'DELETE',
  OPTIONS: 'OPTIONS',
}

const DROPS: Texts<'drop'> = {
  reset: 'reset',
  truncate: 'end in the middle',
  hang: 'send no response',
}

const PRESETS: Texts<'preset'> = {
  'restivus-crash': 'crash of the platform',
  'bad-gateway': 'bad gateway',
  'gateway-timeout': 'gateway timeout',
  maintenance: 'maintenance',
  'session-expired': 'session expired',
  'rate-limit': 'rate limit',
  'login-page': 'login page',
  'slow-3g': 'slow 3G',
}

const FIRST: readonly FaultField[] = [
  { name: 'method', label: 'Method', hint: 'any', options: METHODS },
  { name: 'path', label: 'Path', hint: '/api/*/materials' },
  { name: 'status', label: 'Status', hint: '503' },
  { name: 'delay', label: 'Delay, ms', hint: '100-500' },
  { name: 'probability', label: 'Probability', hint: '0.2' },
  { name: 'times', label: 'Count', hint: '2' },
]

const MORE: readonly FaultField[] = [
  { name: 'name', label: 'Name' },
  { name: 'preset', label: 'Failure', hint: 'none', options: PRESETS },
  { name: 'drop', label: 'Connection', hint: 'stays', options: DROPS },
  { name: 'message', label: 'Message' },
  { name: 'retryAfter', label: 'Retry-After, s' },
  { name: 'bandwidth', label: 'Bytes a second' },
  { name: 'after', label: 'Skip first' },
  { name: 'seed', label: 'Seed' },
  { name: 'ttl', label: 'Ends after, ms' },
  { name: 'accountId', label: 'Account', hint: 'any' },
]

/** Messages are shown at the fields. A dialog takes JSON, which can have more than the fields. */
export function FaultForm(): VNode {
  const form = useRef<HTMLFormElement>(null)
  const [messages, setMessages] = useState<Readonly<Record<string, string>>>({})
  const [text, edit] = useState<string>()
  const { data: served } = useLoad(findServed, [])
  const isEditing = text !== undefined
  const { data: body } = useLoad(
    async (signal) => (isEditing ? describeNewFault(signal) : undefined),
    [isEditing],
  )
  const { isBusy, run } = useAction((error) => {
    const found = locateMessages(asError(error))
    setMessages(found)
    const wrong = [...(form.current?.elements ?? [])].filter(
      (each): each is HTMLInputElement => (each as HTMLInputElement).name in found,
    )
    for (const details of wrong.map((each) => each.closest('details')))
      if (details !== null) details.open = true
    wrong[0]?.focus()
  })
  const submit = (event: SubmitEvent): void => {
    event.preventDefault()
    const fields = new FormData(event.currentTarget as HTMLFormElement)
    void run(() => add(readRule(fields)))
  }
  const add = async (rule: Fault | string): Promise<void> => {
    await addFault(rule)
    setMessages({})
    form.current?.reset()
    reloadRules()
    showToast({ text: 'The rule is on' })
  }
  const editAsJson = (): void => {
    const rule = readRule(new FormData(form.current ?? undefined))
    edit(formatJson(Object.keys(rule).length === 0 ? EXAMPLE : rule))
  }
  const users = Object.fromEntries(accounts.value.map(({ _id, username }) => [_id, username]))
  const show = (field: FaultField): VNode => (
    <Field
      key={field.name}
      field={field.name === 'accountId' ? { ...field, options: users } : field}
      message={messages[field.name]}
    />
  )
  return (
    <>
      <form class="fault-form stack" ref={form} onSubmit={submit} aria-label="A rule">
        <div class="fault-fields">{FIRST.map(show)}</div>
        <details>
          <summary class="muted">More fields</summary>
          <div class="fault-fields">{MORE.map(show)}</div>
        </details>
        <datalist id="fault-paths">
          {['/api/**', ...(served?.resources ?? []).map((name) => `/api/*/${name}`)].map((path) => (
            <option key={path} value={path} />
          ))}
        </datalist>
        <p class="json-error" role="status">
          {messages['']}
        </p>
        <div class="button-line">
          <button type="submit" aria-disabled={isBusy}>
            Add rule
          </button>
          <button type="button" onClick={editAsJson}>
            Edit as JSON
          </button>
        </div>
      </form>
      {text !== undefined && (
        <JsonDialog
          title="Edit as JSON"
          label="JSON of the rule"
          text={text}
          action="Add rule"
          focus="start"
          body={body}
          onSubmit={add}
          onClose={() => edit(undefined)}
        >
          <a href="explorer?document=controls#/controls/faults-add">All fields</a>
        </JsonDialog>
      )}
    </>
  )
}

const EXAMPLE: Fault = { path: '/api/*/materials', status: 503, times: 2 }

interface FieldProps {
  readonly field: FaultField
  readonly message: string | undefined
}

function Field({ field: { name, label, hint, options }, message }: FieldProps): VNode {
  const attributes = {
    id: `fault-${name}`,
    name,
    'aria-invalid': message !== undefined,
    'aria-describedby': message === undefined ? undefined : `fault-${name}-error`,
  }
  return (
    <div class={`fault-field ${name}`}>
      <label for={attributes.id}>{label}</label>
      {options === undefined ? (
        <input
          {...attributes}
          placeholder={hint && `e.g. ${hint}`}
          list={name === 'path' ? 'fault-paths' : undefined}
          autocomplete="off"
          spellcheck={false}
        />
      ) : (
        <select {...attributes}>
          <option value="">{hint}</option>
          {Object.entries(options).map(([value, text]) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </select>
      )}
      {message !== undefined && (
        <p id={`fault-${name}-error`} class="json-error">
          {message}
        </p>
      )}
    </div>
  )
}

const TEXTS: ReadonlySet<string> = new Set(['name', 'path', 'message', 'accountId'])

/** Reads a typed rule. The server refuses texts that should be numbers. */
function readRule(fields: FormData): Fault {
  const given = [...fields].flatMap(([name, typed]): [string, unknown][] => {
    const text = String(typed).trim()
    return text === '' ? [] : [[name, TEXTS.has(name) ? text : readValue(name, text)]]
  })
  return Object.fromEntries(given) as Fault
}

function readValue(name: string, text: string): unknown {
  const range = name === 'delay' ? /^(\d+) *[-–] *(\d+)$/.exec(text) : null
  if (range !== null) return { min: Number(range[1]), max: Number(range[2]) }
  return Number.isNaN(Number(text)) ? text : Number(text)
}

/** Returns the messages of a failure by field. A message without a field has an empty name. */
function locateMessages(error: Error): Readonly<Record<string, string>> {
  const names = new Set([...FIRST, ...MORE].map(({ name }) => String(name)))
  return Object.fromEntries(
    listDetails(error).map(({ path = '', message }) => {
      // A single message has no path. It starts with the place.
      const [name = ''] = (path.slice(1) || message).split(/[/. ]/)
      return [names.has(name) ? name : '', message]
    }),
  )
}
