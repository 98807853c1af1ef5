import { signal } from '@preact/signals'
import type { ReadonlySignal } from '@preact/signals'

export const THEMES = ['system', 'light', 'dark'] as const
export type Theme = (typeof THEMES)[number]

const KEY = 'materials-mock.theme'

/** The theme that the reader has chosen, on the page or in the explorer. */
export const theme = signal<Theme>(
  THEMES.find((each) => each === localStorage.getItem(KEY)) ?? 'system',
)
show()

export function chooseTheme(next: Theme): void {
  theme.value = next
  localStorage.setItem(KEY, next)
  show()
}

/** The colors of the style sheets are `light-dark()`. */
function show(): void {
  document.documentElement.style.colorScheme = theme.value === 'system' ? '' : theme.value
}

export const isDark = (): boolean =>
  theme.value === 'system'
    ? matchMedia('(prefers-color-scheme: dark)').matches
    : theme.value === 'dark'

const KEYS = 'materials-mock.single-keys'

/** Whether single keys act on the page, such as `j`. Who dictates types them without wanting to. */
export const hasSingleKeys = signal(localStorage.getItem(KEYS) !== 'off')

export function chooseSingleKeys(isOn: boolean): void {
  hasSingleKeys.value = isOn
  localStorage.setItem(KEYS, isOn ? 'on' : 'off')
}

/** Something that the reader closes for good: it stays closed in this browser. */
export function createClosable(name: string): {
  readonly isClosed: ReadonlySignal<boolean>
  readonly close: () => void
} {
  const key = `materials-mock.${name}`
  const isClosed = signal(localStorage.getItem(key) === 'closed')
  const close = (): void => {
    isClosed.value = true
    localStorage.setItem(key, 'closed')
  }
  return { isClosed, close }
}
