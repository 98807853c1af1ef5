import type { VNode } from 'preact'

/** A chemical formula with its numbers below the line. */
export const Formula = ({ text }: { readonly text: string }): VNode => (
  <span class="formula">
    {text.split(/(\d+)/).map((part, index) => (index % 2 === 1 ? <sub>{part}</sub> : part))}
  </span>
)
