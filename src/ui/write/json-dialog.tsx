import type { ComponentChildren, VNode } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'

import { Notice } from '../widgets/toasts.js'

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

/** The properties of a dialog. */
export interface DialogProps {
  readonly title: string
  readonly onClose: () => void
  readonly children: ComponentChildren
}

/** A dialog over the page. Escape closes it. */
export function Dialog({ title, onClose, children }: DialogProps): VNode {
  const dialog = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => {
    const element = dialog.current
    element?.showModal()
    // The focus returns to where it was only if the dialog is closed before it is removed.
    return () => element?.close()
  }, [])
  return (
    <dialog
      ref={dialog}
      aria-label={title}
      // The event comes with the next frame, when another dialog can be open in the place of this one.
      onClose={({ currentTarget }) => currentTarget.isConnected && onClose()}
      onCancel={(event) => {
        // The choice of a file is cancelled by an event of the same name.
        if (event.target !== event.currentTarget) return
        // A browser closes it with the next frame only; until then, it could not be opened again.
        event.preventDefault()
        onClose()
      }}
      onKeyDown={(event) => event.stopPropagation()}
    >
      <header>
        <h2 class="title">{title}</h2>
        <button type="button" class="quiet close" aria-label="Close" onClick={onClose}>
          ×
        </button>
      </header>
      {children}
    </dialog>
  )
}
