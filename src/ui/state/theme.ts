import { signal } from '@preact/signals'

/** What a theme can be: that of the system, or one of the two. */
export const THEMES = ['system', 'light', 'dark'] as const
export type Theme = (typeof THEMES)[number]

const KEY = 'materials-mock.theme'

/** The theme that the reader has chosen, on this page or on the other one. */
export const theme = signal<Theme>(
  THEMES.find((each) => each === localStorage.getItem(KEY)) ?? 'system',
)
show()

/** Keeps a theme over a reload, and shows it. What draws its colors itself hears of it by an event. */
export function chooseTheme(next: Theme): void {
  theme.value = next
  localStorage.setItem(KEY, next)
  show()
  dispatchEvent(new Event('theme'))
}

/** The colors of the style sheets are `light-dark()`. */
function show(): void {
  document.documentElement.style.colorScheme = theme.value === 'system' ? '' : theme.value
}

/** Whether dark colors are shown. */
export const isDark = (): boolean =>
  theme.value === 'system'
    ? matchMedia('(prefers-color-scheme: dark)').matches
    : theme.value === 'dark'
