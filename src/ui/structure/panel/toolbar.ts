import type { Supercell } from '../../../domain/materials/geometry/supercell.js'
import { MAX_REPEATS } from '../settings.js'
import type { ViewerSettings } from '../settings.js'
import { createElement } from './create-element.js'

/** What the controls of a viewer do. */
export interface ToolbarActions {
  change: (change: Partial<ViewerSettings>) => void
  reset: () => void
  download: () => void
}

/** The controls of a viewer. */
export interface Toolbar {
  readonly element: HTMLElement
  /** Shows settings in the controls; a molecule has no cell to repeat. */
  show: (settings: ViewerSettings, isPeriodic: boolean) => void
}

type Switch = 'bonds' | 'labels' | 'axes' | 'cell'

const SWITCHES: readonly (readonly [Switch, label: string])[] = [
  ['bonds', 'Bonds'],
  ['labels', 'Labels'],
  ['axes', 'Axes'],
  ['cell', 'Cell'],
]

/** Makes the controls of a viewer. */
export function createToolbar(actions: ToolbarActions): Toolbar {
  const repeats = ['a', 'b', 'c'].map((edge) => createRepeatSelect(edge))
  const readSupercell = (): Supercell => {
    const [a = 1, b = 1, c = 1] = repeats.map(({ value }) => Number(value))
    return [a, b, c]
  }
  for (const select of repeats)
    select.addEventListener('change', () => actions.change({ supercell: readSupercell() }))
  const switches = SWITCHES.map(([name, label]) => {
    const input = createElement('input', { type: 'checkbox', name })
    input.addEventListener('change', () => actions.change({ [name]: input.checked }))
    return { name, input, element: createElement('label', {}, input, label) }
  })
  const parallel = createElement('input', { type: 'checkbox', name: 'parallel' })
  parallel.addEventListener('change', () =>
    actions.change({ projection: parallel.checked ? 'parallel' : 'perspective' }),
  )
  const supercell = createElement(
    'fieldset',
    { class: 'viewer-supercell' },
    createElement('legend', {}, 'Supercell'),
    ...repeats.flatMap((select, index) => (index === 0 ? [select] : ['×', select])),
  )
  const element = createElement(
    'div',
    { class: 'viewer-toolbar', role: 'group', 'aria-label': 'View' },
    supercell,
    ...switches.map((each) => each.element),
    createElement('label', {}, parallel, 'Parallel'),
    createElement(
      'div',
      { class: 'viewer-buttons' },
      createButton('Reset view', actions.reset),
      createButton('Download PNG', actions.download),
    ),
  )
  return {
    element,
    show: (settings, isPeriodic) => {
      supercell.disabled = !isPeriodic
      repeats.forEach((select, index) => {
        select.value = String(settings.supercell[index] ?? 1)
      })
      for (const { name, input } of switches) {
        input.checked = settings[name]
        input.disabled = name === 'cell' && !isPeriodic
      }
      parallel.checked = settings.projection === 'parallel'
    },
  }
}

function createRepeatSelect(edge: string): HTMLSelectElement {
  const counts = Array.from({ length: MAX_REPEATS }, (_, index) => String(index + 1))
  return createElement(
    'select',
    { name: `repeat-${edge}`, 'aria-label': `Cells along ${edge}` },
    ...counts.map((count) => createElement('option', { value: count }, count)),
  )
}

function createButton(text: string, act: () => void): HTMLButtonElement {
  const button = createElement('button', { type: 'button' }, text)
  button.addEventListener('click', act)
  return button
}
