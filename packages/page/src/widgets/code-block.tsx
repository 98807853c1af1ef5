import type { VNode } from 'preact'
import { useState } from 'preact/hooks'

import { useAction } from './action-button.js'

interface CodeBlockProps {
  readonly code: string
  /** The name of the code for a screen reader. */
  readonly label: string
}

export const CodeBlock = ({ code, label }: CodeBlockProps): VNode => (
  <div class="code-block">
    <pre tabIndex={0} role="region" aria-label={label}>
      {code}
    </pre>
    <CopyButton text={code} label={`Copy ${label}`} />
  </div>
)

interface CopyButtonProps {
  /** The text, or a function that gets it. */
  readonly text: string | (() => Promise<string>)
  readonly children?: string
  /** The name of the copied text for a screen reader. */
  readonly label?: string
  readonly class?: string
}

export function CopyButton({ text, children = 'Copy', label, ...rest }: CopyButtonProps): VNode {
  const [isCopied, setCopied] = useState(false)
  const { run } = useAction()
  const copy = async (): Promise<void> => {
    const copied = typeof text === 'string' ? text : await text()
    try {
      await navigator.clipboard.writeText(copied)
    } catch {
      throw new Error('the browser does not let this page copy')
    }
    setCopied(true)
    setTimeout(() => setCopied(false), 1500)
  }
  return (
    <button
      type="button"
      class={rest.class ?? 'small'}
      aria-label={isCopied ? 'Copied' : label}
      onClick={() => void run(copy)}
    >
      {isCopied ? 'Copied' : children}
    </button>
  )
}

export function saveFile(data: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(data)
  link.download = name
  link.click()
  // The browser reads the data after the click.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}
