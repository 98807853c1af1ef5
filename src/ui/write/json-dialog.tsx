import type { ComponentChildren, VNode } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'

import { useAction } from '../widgets/action-button.js'
import { Notice } from '../widgets/toasts.js'

/** The properties of a dialog that takes a text. */
export interface JsonDialogProps {
  readonly title: string
  readonly text: string
  readonly action: string
  readonly label: string
  readonly children?: ComponentChildren
  /**
   * Takes the text; an error that it throws is shown. A text that it returns is to be looked at, and
   * taken again.
   */
  readonly onSubmit: (text: string) => Promise<SubmitAgain | void>
  readonly onClose: () => void
}

/** A text that takes the place of the one that was submitted, with the reason. */
export interface SubmitAgain {
  readonly text: string
  readonly reason: string
}

/** Takes a text, and shows why it is refused. */
export function JsonDialog(props: JsonDialogProps): VNode {
  const { title, action, label, children, onSubmit, onClose } = props
  const original = useRef(props.text)
  const [text, setText] = useState(props.text)
  const [message, setMessage] = useState('')
  const { isBusy, run } = useAction((error) => setMessage((error as Error).message))
  const submit = async (): Promise<void> => {
    setMessage('')
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
          <textarea
            class="mono"
            aria-label={label}
            rows={18}
            spellcheck={false}
            value={text}
            onInput={(event) => setText(event.currentTarget.value)}
          />
          {message !== '' && <Notice kind="error">{message}</Notice>}
          <div class="button-line">
            <button type="submit" class="primary" aria-disabled={isBusy}>
              {action}
            </button>
            <button type="button" onClick={close}>
              Cancel
            </button>
          </div>
        </form>
      )}
    </Dialog>
  )
}

/** The properties of a dialog. */
export interface DialogProps {
  readonly title: string
  /** Whether it has something that would be lost. */
  readonly isChanged?: boolean
  readonly onClose: () => void
  /** Returns the content; a button of it can close the dialog as Escape does. */
  readonly children: (close: () => void) => ComponentChildren
}

/** A dialog over the page. Escape closes it. If something would be lost, it asks first. */
export function Dialog({ title, isChanged = false, onClose, children }: DialogProps): VNode {
  const dialog = useRef<HTMLDialogElement>(null)
  const back = useRef<HTMLButtonElement>(null)
  const [isAsking, setAsking] = useState(false)
  useLayoutEffect(() => {
    const element = dialog.current
    element?.showModal()
    // The focus returns to where it was only if the dialog is closed before it is removed.
    return () => element?.close()
  }, [])
  useLayoutEffect(() => {
    if (isAsking) back.current?.focus()
  }, [isAsking])
  const close = (): void => (isChanged ? setAsking(true) : onClose())
  return (
    <dialog
      ref={dialog}
      aria-label={title}
      // The event comes with the next frame, when another dialog can be open in the place of this one.
      onClose={({ currentTarget }) => currentTarget.isConnected && onClose()}
      onCancel={(event) => {
        // The choice of a file is cancelled by an event of the same name.
        if (event.target === event.currentTarget) event.preventDefault()
      }}
      onKeyDown={(event) => {
        event.stopPropagation()
        if (event.key !== 'Escape' || event.defaultPrevented) return
        // A browser closes a dialog with the next frame only, and at a second Escape without asking.
        event.preventDefault()
        close()
      }}
    >
      <header>
        <h2 class="title">{title}</h2>
        <button type="button" class="quiet close" aria-label="Close" onClick={close}>
          ×
        </button>
      </header>
      {isAsking && (
        <div class="notice button-line" role="alert">
          <span>What you have changed would be lost.</span>
          <button type="button" ref={back} onClick={() => setAsking(false)}>
            Go on editing
          </button>
          <button type="button" class="danger" onClick={onClose}>
            Throw it away
          </button>
        </div>
      )}
      {children(close)}
    </dialog>
  )
}
