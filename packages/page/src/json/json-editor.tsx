import type { VNode, ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'

import { asError } from '@materials-mock/json'
import { listDetails } from '../http/send.js'
import { useTyped } from '../state/hooks.js'
import { useAction } from '../widgets/action-button.js'
import { Dialog } from '../widgets/dialog.js'
import { showError, Notice } from '../widgets/toasts.js'
import type { JsonEditorProps, MountedEditor } from './code-mirror.js'
import { completeSchema } from './completions.js'
import type { Completer, JsonSchema, NamedSchemas } from './completions.js'
import { formatJson, locateInJson, parseJson } from './json-text.js'
import type { TextError } from './json-text.js'

/**
 * Loaded with the first editor, in a shadow tree with constructed style sheets, as the policy of
 * the page requires. Tab leaves it; Ctrl+Enter submits its form.
 */
function JsonEditor(props: JsonEditorProps): VNode {
  const host = useRef<HTMLDivElement>(null)
  const editor = useRef<MountedEditor>(null)
  const latest = useRef(props)
  latest.current = props
  useEffect(() => {
    let isGone = false
    const mount = async (): Promise<void> => {
      const { mountEditor } = await import('./code-mirror.js')
      if (isGone || host.current === null) return
      editor.current = mountEditor(host.current, () => latest.current)
    }
    mount().catch(showError)
    return () => {
      isGone = true
      editor.current?.destroy()
    }
  }, [])
  // Before the next key, so that it does not find an older text.
  useLayoutEffect(() => editor.current?.update())
  return <div class="json-editor" ref={host} />
}

interface JsonInputProps {
  readonly label: string
  readonly example: string
  readonly value: string
  readonly complete: Completer
  readonly error: TextError | undefined
  readonly onChange: (text: string) => void
}

/** An editor with a label and a message. Typed text takes effect after a pause. */
export function JsonInput(props: JsonInputProps): VNode {
  const { label, example, value, complete, error, onChange } = props
  const { text, type, commit } = useTyped(value, onChange)
  const shown = text === value ? error : undefined
  return (
    <div class="json-input" onFocusOut={commit}>
      <span class="json-label" aria-hidden="true">
        {label}
      </span>
      <JsonEditor
        label={label}
        text={text}
        placeholder={`e.g. ${example}`}
        complete={complete}
        errors={shown === undefined ? [] : [shown]}
        onChange={type}
      />
      <p class="json-error" role="status">
        {shown?.message}
      </p>
    </div>
  )
}

interface JsonDialogProps {
  readonly title: string
  readonly text: string
  readonly action: string
  readonly label: string
  /** The schema of the JSON, for the completion. */
  readonly body: { readonly schema: JsonSchema; readonly named: NamedSchemas } | undefined
  readonly focus: 'start' | 'all'
  readonly children?: ComponentChildren
  /** Takes the text. A thrown error is shown. */
  readonly onSubmit: (text: string) => Promise<void>
  readonly onClose: () => void
}

/** Takes a text, and shows the errors of a refusal at their places. */
export function JsonDialog(props: JsonDialogProps): VNode {
  const { title, action, label, body, focus, children, onSubmit, onClose } = props
  const original = useRef(props.text)
  const [text, setText] = useState(props.text)
  const [message, setMessage] = useState('')
  const [errors, setErrors] = useState<readonly TextError[]>([])
  const { isBusy, run } = useAction((error) => {
    const left = error instanceof SubmitAgain ? formatJson(error.left) : text
    setText(left)
    setMessage(asError(error).message)
    setErrors(locate(left, asError(error)))
  })
  const change = (next: string): void => {
    setText(next)
    setErrors([])
  }
  const submit = async (): Promise<void> => {
    setMessage('')
    setErrors([])
    await onSubmit(text)
    onClose()
  }
  return (
    <Dialog title={title} isChanged={text !== original.current} onClose={onClose}>
      {(close) => (
        <form
          class="stack"
          onSubmit={(event) => {
            event.preventDefault()
            void run(submit)
          }}
        >
          {children}
          <JsonEditor
            label={label}
            text={text}
            focus={focus}
            errors={errors}
            complete={body && completeSchema(body.schema, body.named)}
            isLocked={isBusy}
            onChange={change}
          />
          {message !== '' && <Notice kind="error">{message}</Notice>}
          <div class="button-line">
            <button type="submit" aria-disabled={isBusy}>
              {action}
            </button>
            <button type="button" onClick={close}>
              Cancel
            </button>
            <button
              type="button"
              class="quiet"
              aria-disabled={isBusy}
              onClick={() => {
                if (isBusy) return
                try {
                  change(formatJson(parseJson(text)))
                } catch (error) {
                  setErrors(locate(text, asError(error)))
                }
              }}
            >
              Format
            </button>
          </div>
        </form>
      )}
    </Dialog>
  )
}

/** An error after which the reader checks another JSON than the submitted one, and submits it again. */
export class SubmitAgain extends Error {
  constructor(
    message: string,
    /** The JSON that replaces the submitted one. */
    readonly left: unknown,
    override readonly cause?: Error,
  ) {
    super(message)
  }
}

/** Finds the places of an error. In a list, the error is about the first item. */
function locate(text: string, error: Error): readonly TextError[] {
  const cause = error instanceof SubmitAgain ? error.cause : error
  if (cause === undefined) return []
  const item = /^\s*\[/.test(text) ? 0 : undefined
  return locateInJson(text, listDetails(cause), item)
}
