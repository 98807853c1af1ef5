import type { VNode } from 'preact'
import { useId } from 'preact/hooks'

export interface Tab {
  readonly name: string
  readonly content: () => VNode
}

interface TabsProps {
  readonly label: string
  readonly tabs: readonly Tab[]
  /** The name of the shown tab. An unknown name stands for the first tab. */
  readonly chosen: string
  /** Called with the name of the chosen tab; an empty name stands for the first tab. */
  readonly onChoose: (name: string) => void
}

export function Tabs({ label, tabs, chosen, onChoose }: TabsProps): VNode {
  const id = useId()
  const index = Math.max(
    tabs.findIndex(({ name }) => name === chosen),
    0,
  )
  const choose = (next: number): void => onChoose(next === 0 ? '' : (tabs[next]?.name ?? ''))
  const move = (event: KeyboardEvent): void => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
    if (step === 0) return
    const next = (index + step + tabs.length) % tabs.length
    choose(next)
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
            onClick={() => choose(each)}
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
