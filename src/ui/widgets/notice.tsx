import type { ComponentChildren, VNode } from 'preact'

/** The properties of a notice. */
export interface NoticeProps {
  readonly kind: 'error' | 'info'
  readonly children: ComponentChildren
}

/** A message in the place of what it is about. */
export const Notice = ({ kind, children }: NoticeProps): VNode => (
  <p class={`notice ${kind}`} role={kind === 'error' ? 'alert' : 'status'}>
    {children}
  </p>
)
