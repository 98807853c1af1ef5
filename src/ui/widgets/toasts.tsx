import { signal } from '@preact/signals'
import type { ComponentChildren, VNode } from 'preact'

import { frameState } from '../state/navigation.js'

/** A message at the edge of the page, with an optional action. */
interface Toast {
  readonly text: string
  readonly kind?: 'error'
  readonly action?: { readonly label: string; readonly run: () => Promise<unknown> }
  /** The sandbox and the account of an action, which is shown with them alone. */
  readonly place?: string
}

/** The time that a message stays, in ms. A message with an action stays longer. */
const TOAST_DURATION = 8000
const ACTION_DURATION = 30_000

const toasts = signal<readonly Toast[]>([])

/** Shows a message for some seconds. Of those without an action, the last three are shown. */
export function showToast(toast: Toast): void {
  const old = new Set(toasts.value.filter(({ action }) => action === undefined).slice(0, -2))
  const placed = { place: findPlace(), ...toast }
  toasts.value = [...toasts.value.filter((each) => !old.has(each)), placed]
  setTimeout(() => dismiss(placed), toast.action === undefined ? TOAST_DURATION : ACTION_DURATION)
}

export const showError = (error: unknown): void =>
  showToast({ text: error instanceof Error ? error.message : String(error), kind: 'error' })

/** Moves the focus to an element that the next drawing makes. */
export const focusSoon = (selector: string): void =>
  void requestAnimationFrame(() => document.querySelector<HTMLElement>(selector)?.focus())

const dismiss = (toast: Toast): void => {
  toasts.value = toasts.value.filter((each) => each !== toast)
}

const findPlace = (): string => `${frameState.value.sandbox} ${frameState.value.as}`

const isHere = ({ action, place }: Toast): boolean => action === undefined || place === findPlace()

/** The messages that are shown. */
export const Toasts = (): VNode => (
  <div class="toasts" role="status" aria-live="polite">
    {toasts.value.filter(isHere).map((toast) => (
      <div class={`toast ${toast.kind ?? ''}`}>
        <span>{toast.text}</span>
        {toast.action !== undefined && (
          <button
            type="button"
            onClick={() => {
              dismiss(toast)
              toast.action?.run().catch((error: unknown) => {
                showError(error)
                showToast(toast) // so that it can be tried again
              })
            }}
          >
            {toast.action.label}
          </button>
        )}
        <button type="button" aria-label="Dismiss" onClick={() => dismiss(toast)}>
          ×
        </button>
      </div>
    ))}
  </div>
)

interface NoticeProps {
  readonly kind: 'error' | 'info'
  readonly children: ComponentChildren
}

/** A message in place of missing content. */
export const Notice = ({ kind, children }: NoticeProps): VNode => (
  <p class={`notice ${kind}`} role={kind === 'error' ? 'alert' : 'status'}>
    {children}
  </p>
)
