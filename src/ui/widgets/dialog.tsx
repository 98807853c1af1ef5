import { useLayoutEffect, useRef } from 'preact/hooks'
import type { ComponentChildren, VNode } from 'preact'

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
