import type { VNode } from 'preact'

import { CopyButton } from './copy-button.js'

/** The properties of a block of code. */
export interface CodeBlockProps {
  readonly code: string
  /** What the code is, for a reader of the screen. */
  readonly label: string
}

/** Code with a button that copies it. */
export const CodeBlock = ({ code, label }: CodeBlockProps): VNode => (
  <div class="code-block">
    <pre tabIndex={0} role="region" aria-label={label}>
      {code}
    </pre>
    <CopyButton text={code} label={`Copy ${label}`} />
  </div>
)
