import type { ComponentChildren, VNode } from 'preact'
import { useRef, useState } from 'preact/hooks'

import { ApiError } from '../http/send.js'
import { useAction } from '../widgets/action-button.js'
import { Dialog } from '../widgets/dialog.js'
import { Notice } from '../widgets/toasts.js'
import { completeSchema } from './completions.js'
import type { JsonSchema, NamedSchemas } from './completions.js'
import { JsonEditor } from './json-editor.js'
import { formatJson } from './json-text.js'
import { locateInJson } from './locate-in-json.js'
import type { TextError } from './locate-in-json.js'

/** The properties of a dialog that takes a text. */
export interface JsonDialogProps {
  readonly title: string
  readonly text: string
  readonly action: string
  readonly label: string
  /** The schema of the JSON, for the completion. */
  readonly body: { readonly schema: JsonSchema; readonly named: NamedSchemas } | undefined
  /** The first selection. */
  readonly focus: 'start' | 'all'
  readonly children?: ComponentChildren
  /**
   * Takes the text. A thrown error is shown. If it returns a text, the reader checks this text and
   * submits it again.
   */
  readonly onSubmit: (text: string) => Promise<SubmitAgain | void>
  readonly onClose: () => void
}

/** A text that replaces the submitted text, with the reason. */
export interface SubmitAgain {
  readonly text: string
  readonly reason: string
}

/** Takes a text, and shows the errors of a refusal at their places. */
export function JsonDialog(props: JsonDialogProps): VNode {
  const { title, action, label, body, focus, children, onSubmit, onClose } = props
  const original = useRef(props.text)
  const [text, setText] = useState(props.text)
  const [message, setMessage] = useState('')
  const [errors, setErrors] = useState<readonly TextError[]>([])
  const { isBusy, run } = useAction((error) => {
    setMessage((error as Error).message)
    setErrors(locate(text, error as Error))
  })
  const change = (next: string): void => {
    setText(next)
    setErrors([])
  }
  const submit = async (): Promise<void> => {
    setMessage('')
    setErrors([])
    const again = await onSubmit(text)
    if (again === undefined) return onClose()
    setText(again.text)
    setMessage(again.reason)
  }
  return (
    <Dialog title={title} isChanged={text !== original.current} onClose={onClose}>
      {(close) => (
        <form
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
            onChange={change}
          />
          {message !== '' && <Notice kind="error">{message}</Notice>}
          <div class="button-line">
            <button type="submit" class="primary" aria-disabled={isBusy}>
              {action}
            </button>
            <button type="button" onClick={close}>
              Cancel
            </button>
            <button
              type="button"
              class="quiet"
              onClick={() => {
                try {
                  change(formatJson(JSON.parse(text)))
                } catch (error) {
                  setErrors(locate(text, error as Error))
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

/** The refusal of an item of a list, after the items before it were taken. */
export class ListItemError extends Error {
  constructor(
    message: string,
    readonly index: number,
    override readonly cause: Error,
  ) {
    super(message)
  }
}

/** Finds the places of an error. In a list, the error is about one item. */
function locate(text: string, error: Error): readonly TextError[] {
  const { cause, index } = error instanceof ListItemError ? error : { cause: error, index: 0 }
  const details = cause instanceof ApiError ? cause.details : []
  return locateInJson(text, cause.message, details, /^\s*\[/.test(text) ? index : undefined)
}
