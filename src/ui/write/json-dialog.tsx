import { useState } from 'preact/hooks'
import type { ComponentChildren, VNode } from 'preact'

import { Dialog } from '../widgets/dialog.js'
import { Notice } from '../widgets/notice.js'

/** The properties of a dialog that takes a text. */
export interface JsonDialogProps {
  readonly title: string
  readonly text: string
  readonly action: string
  readonly label: string
  readonly children?: ComponentChildren
  /** Takes the text; an error that it throws is shown. */
  readonly onSubmit: (text: string) => Promise<void>
  readonly onClose: () => void
}

/** Takes a text, and shows why it is refused. */
export function JsonDialog(props: JsonDialogProps): VNode {
  const { title, action, label, children, onSubmit, onClose } = props
  const [text, setText] = useState(props.text)
  const [error, setError] = useState<Error>()
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault()
    try {
      await onSubmit(text)
      onClose()
    } catch (failure) {
      setError(failure as Error)
    }
  }
  return (
    <Dialog title={title} onClose={onClose}>
      <form onSubmit={(event) => void submit(event)}>
        {children}
        <textarea
          class="mono"
          aria-label={label}
          rows={18}
          spellcheck={false}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
        {error !== undefined && <Notice kind="error">{error.message}</Notice>}
        <div class="button-line">
          <button type="submit" class="primary">
            {action}
          </button>
          <button type="button" onClick={onClose}>
            Cancel
          </button>
        </div>
      </form>
    </Dialog>
  )
}
