import type { ComponentChildren, VNode } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'

import { stayHere } from '../state/navigation.js'

interface DialogProps {
  readonly title: string
  /** Whether the dialog has unsaved content. */
  readonly isChanged?: boolean
  readonly onClose: () => void
  /** Returns the content; a button of it can close the dialog as Escape does. */
  readonly children: (close: () => void) => ComponentChildren
}

/** Escape closes it; if content is unsaved, it asks first, also before the browser goes back. */
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
  // An effect would end some time after the dialog is closed.
  useLayoutEffect(() => (isChanged ? stayHere(() => setAsking(true)) : undefined), [isChanged])
  const close = (): void => (isChanged ? setAsking(true) : onClose())
  const goOn = (): void => setAsking(false)
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
        // A browser closes a dialog only with the next frame, and at a second Escape without asking.
        event.preventDefault()
        if (isAsking) goOn()
        else close()
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
          <span>Your changes would be lost.</span>
          <button type="button" ref={back} onClick={goOn}>
            Keep editing
          </button>
          <button type="button" class="bad" onClick={onClose}>
            Discard
          </button>
        </div>
      )}
      {children(close)}
    </dialog>
  )
}
