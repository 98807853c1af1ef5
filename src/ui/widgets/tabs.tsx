import { useId, useState } from 'preact/hooks'
import type { VNode } from 'preact'

/** One of several contents in one place. */
export interface Tab {
  readonly name: string
  readonly content: () => VNode
}

/** The properties of tabs. */
export interface TabsProps {
  readonly label: string
  readonly tabs: readonly Tab[]
}

/** Shows one of several contents. The arrow keys choose another one. */
export function Tabs({ label, tabs }: TabsProps): VNode {
  const id = useId()
  const [chosen, choose] = useState(tabs[0]?.name)
  const index = Math.max(
    tabs.findIndex(({ name }) => name === chosen),
    0,
  )
  const move = (event: KeyboardEvent): void => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
    if (step === 0) return
    const next = (index + step + tabs.length) % tabs.length
    choose(tabs[next]?.name)
    const buttons = (event.currentTarget as Element).querySelectorAll<HTMLElement>('[role=tab]')
    buttons[next]?.focus()
  }
  return (
    <div class="tabs">
      <div role="tablist" aria-label={label} onKeyDown={move}>
        {tabs.map(({ name }, each) => (
          <button
            key={name}
            type="button"
            role="tab"
            id={`${id}-${each}`}
            aria-selected={each === index}
            aria-controls={`${id}-panel`}
            tabIndex={each === index ? 0 : -1}
            onClick={() => choose(name)}
          >
            {name}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${index}`} tabIndex={0}>
        {tabs[index]?.content()}
      </div>
    </div>
  )
}
