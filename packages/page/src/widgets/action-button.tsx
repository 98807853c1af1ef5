import type { ComponentChildren, VNode } from 'preact'
import { useRef, useState } from 'preact/hooks'

import { showError } from './toasts.js'

/** The state of actions: whether an action runs, and a function that runs an action. */
interface Action {
  readonly isBusy: boolean
  /** Runs an action, unless one is running. */
  readonly run: (act: () => Promise<unknown>) => Promise<void>
}

/** Runs one action at a time, so that a double click does it once. */
export function useAction(onError: (error: unknown) => void = showError): Action {
  const [isBusy, setBusy] = useState(false)
  const isRunning = useRef(false)
  const run = async (act: () => Promise<unknown>): Promise<void> => {
    if (isRunning.current) return
    isRunning.current = true
    setBusy(true)
    try {
      await act()
    } catch (error) {
      onError(error)
    }
    isRunning.current = false
    setBusy(false)
  }
  return { isBusy, run }
}

interface ActionButtonProps {
  readonly onAct: () => Promise<unknown>
  readonly class?: string
  readonly id?: string
  readonly label?: string
  readonly pressed?: boolean
  readonly children: ComponentChildren
}

/** A button that is off while its action runs. It keeps the focus, which a disabled button would lose. */
export function ActionButton({
  onAct,
  id,
  label,
  pressed,
  children,
  ...rest
}: ActionButtonProps): VNode {
  const { isBusy, run } = useAction()
  return (
    <button
      type="button"
      id={id}
      class={rest.class}
      aria-label={label}
      aria-pressed={pressed}
      aria-disabled={isBusy}
      onClick={() => void run(onAct)}
    >
      {children}
    </button>
  )
}

interface ActionFormProps {
  readonly onAct: (values: FormData) => Promise<unknown>
  readonly onError?: (error: unknown) => void
  /** The text of its button. */
  readonly action: string
  readonly class?: string
  readonly children: ComponentChildren
}

/** A form, usually in a line. Its button is off while its action runs. */
export function ActionForm({ onAct, onError, action, children, ...rest }: ActionFormProps): VNode {
  const { isBusy, run } = useAction(onError)
  return (
    <form
      class={rest.class ?? 'button-line'}
      onSubmit={(event) => {
        event.preventDefault()
        const values = new FormData(event.currentTarget)
        void run(() => onAct(values))
      }}
    >
      {children}
      <button type="submit" aria-disabled={isBusy}>
        {action}
      </button>
    </form>
  )
}
