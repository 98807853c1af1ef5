import { signal } from '@preact/signals'
import type { ComponentChildren, VNode } from 'preact'
import { useEffect, useErrorBoundary } from 'preact/hooks'

import { isRefused } from '../http/send.js'
import { frameState, pageState } from '../state/navigation.js'
import type { Loaded } from '../state/hooks.js'
import { reloadAll } from '../state/versions.js'

/** A message at the bottom of the page, with an optional action. */
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

/** Shows a message for some seconds, or an error until it is closed. It replaces the same one without an action. */
export function showToast(toast: Toast): void {
  const { text, kind, action } = toast
  const placed = { place: findPlace(), ...toast }
  const others = toasts.value.filter((each) => each.text !== text || each.action !== undefined)
  toasts.value = [placed, ...others]
  if (kind === 'error') return
  setTimeout(() => dismiss(placed), action === undefined ? TOAST_DURATION : ACTION_DURATION)
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

/** The messages that are shown, the newest first. They have a place of their own, and cover nothing. */
export const Toasts = (): VNode => (
  <div class="toasts" role="status" aria-live="polite">
    {toasts.value.filter(isHere).map((toast) => (
      <div key={toast} class={`toast ${toast.kind ?? ''}`}>
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

/** The time that a page may show nothing, in ms: a text that is replaced at once would only flash. */
const LATE = 200

/** What is there while the page opens. */
export const Loading = (): VNode => (
  <p class="notice starting" style={{ animationDelay: `${LATE - performance.now()}ms` }}>
    Loading…
  </p>
)

interface FailureProps {
  readonly error: Error | undefined
  readonly onRetry?: () => void
  /** The words in the place of the error's message. */
  readonly children?: ComponentChildren
}

/** An error in the place of what it keeps from being shown. *Try again* is there where that can help. */
export const Failure = ({ error, onRetry = reloadAll, children }: FailureProps): VNode | null =>
  error === undefined ? null : (
    <div class="notice error button-line" role="alert">
      <span>{children ?? error.message}</span>
      {!isRefused(error) && (
        <button type="button" class="small" onClick={onRetry}>
          Try again
        </button>
      )}
    </div>
  )

/** What a load has come to while it has no data: the view around it is not seen, or an error is. */
export const Outcome = ({ of: { data, error } }: { readonly of: Loaded<unknown> }): VNode | null =>
  data === undefined && error === undefined ? <p class="unloaded" /> : <Failure error={error} />

interface BoundaryProps {
  readonly as?: 'main' | 'div'
  readonly children: ComponentChildren
}

/** Shows an error in the place of what can't be drawn, such as an unexpected answer, until the address changes. */
export function Boundary({ as: Place = 'div', children }: BoundaryProps): VNode {
  const [error, retry] = useErrorBoundary() as [Error | undefined, () => void]
  useEffect(retry, [pageState.value])
  if (error === undefined) return <>{children}</>
  return (
    <Place>
      <h1 class="visually-hidden">An error</h1>
      <Failure error={error} onRetry={() => location.reload()}>
        This can't be shown: {error.message}
      </Failure>
    </Place>
  )
}
