import { ELEMENTS, findCovalentRadius } from '../../domain/materials/elements.js'
import type { BondKind } from '../../domain/materials/geometry/bonds.js'
import type { Supercell } from '../../domain/materials/geometry/supercell.js'
import { findElementColor } from './colors.js'
import type { Model, Picture } from './picture.js'
import { MAX_REPEATS } from './settings.js'
import type { ViewerSettings } from './settings.js'

/** The elements of a viewer, apart from its controls. */
export interface Stage {
  readonly element: HTMLElement
  readonly canvas: HTMLCanvasElement
  /** Shows a text instead of the picture, or the picture. */
  readonly showMessage: (message: string | undefined) => void
  /** Describes the picture. */
  readonly showStatus: (text: string, atoms: number, bonds: number) => void
  readonly showLegend: (legend: HTMLElement) => void
}

const HELP =
  'Drag or use the arrow keys to turn, Shift and drag to move, the wheel or + and − to enlarge, 0 to reset.'

/** Makes the elements of a viewer around its controls. */
export function createStage(toolbar: HTMLElement): Stage {
  const canvas = createElement('canvas', {
    class: 'viewer-canvas',
    tabindex: '0',
    role: 'application',
    'aria-roledescription': '3D view',
  })
  const message = createElement('p', { class: 'viewer-message', role: 'alert', hidden: true })
  const status = createElement('p', { class: 'viewer-status', role: 'status' })
  const help = createElement('p', { class: 'viewer-note' }, HELP)
  const legend = createElement('div')
  return {
    element: createElement(
      'div',
      { class: 'viewer' },
      createElement('div', { class: 'viewer-stage' }, canvas, message),
      toolbar,
      status,
      legend,
      help,
    ),
    canvas,
    showMessage: (text) => {
      message.textContent = text ?? ''
      message.hidden = text === undefined
      for (const each of [canvas, toolbar, help]) each.hidden = text !== undefined
    },
    showStatus: (text, atoms, bonds) => {
      status.textContent = text
      status.dataset.atoms = String(atoms)
      status.dataset.bonds = String(bonds)
      canvas.setAttribute('aria-label', `Structure, ${text}. ${HELP}`)
    },
    showLegend: (element) => legend.replaceChildren(element),
  }
}

/** The actions of the controls of a viewer. */
export interface ToolbarActions {
  change: (change: Partial<ViewerSettings>) => void
  reset: () => void
  download: () => void
}

/** The controls of a viewer. */
export interface Toolbar {
  readonly element: HTMLElement
  /** Shows settings in the controls. A molecule has no cell to repeat. */
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

/** The names of the types of bonds in the legend. */
const NATURES = {
  covalent: 'covalent',
  ionic: 'ionic, not covalent',
  metallic: 'metallic, not covalent',
} as const

/** An explanation of the bonds for the reader. */
const RULE =
  'Atoms up to 1.2 times the sum of their covalent radii apart (Cordero 2008) are joined. ' +
  'The rule uses only distances: contacts of ions and of metals are not covalent bonds.'

/**
 * Makes the legend of a structure: its elements with their colours, radii and numbers in the cell, and
 * its kinds of bonds with their lengths, numbers and natures, each with a switch.
 * @param drawn the kinds that are drawn
 * @param toggle draws a kind of bonds that is left out, or leaves it out
 */
export function createLegend(
  { crystal, bondKinds }: Model,
  drawn: readonly BondKind[],
  toggle: (kind: BondKind) => void,
): HTMLElement {
  const counts = new Map<string, number>()
  for (const { symbol } of crystal.sites) counts.set(symbol, (counts.get(symbol) ?? 0) + 1)
  const elements = [...counts].map(([symbol, count]) =>
    createElement(
      'li',
      { 'data-element': symbol },
      createSwatch(symbol),
      ...describe(symbol, count),
    ),
  )
  const bonds = bondKinds.map((kind) => createBondEntry(kind, drawn.includes(kind), toggle))
  return createElement(
    'div',
    { class: 'viewer-legend' },
    createElement('ul', { 'aria-label': 'Elements' }, ...elements),
    createElement('ul', { 'aria-label': 'Kinds of bonds' }, ...bonds),
    ...(bonds.length > 0 ? [createElement('p', { class: 'viewer-note' }, RULE)] : []),
  )
}

function createSwatch(symbol: string): HTMLElement {
  const swatch = createElement('span', { class: 'viewer-swatch', 'aria-hidden': 'true' })
  swatch.style.backgroundColor = findElementColor(symbol)
  return swatch
}

function describe(symbol: string, count: number): Node[] {
  const radius = ELEMENTS.has(symbol)
    ? `radius ${findCovalentRadius(symbol).toFixed(2)} Å`
    : 'unknown element'
  return [
    createElement('b', {}, symbol),
    createElement('span', { class: 'viewer-detail' }, `${formatCount(count, 'atom')}, ${radius}`),
  ]
}

function createBondEntry(
  kind: BondKind,
  isDrawn: boolean,
  toggle: (kind: BondKind) => void,
): HTMLElement {
  const name = kind.symbols.join('–')
  const input = createElement('input', { type: 'checkbox', checked: isDrawn })
  input.addEventListener('change', () => toggle(kind))
  const detail = `${formatCount(kind.bonds.length, 'bond')}, ${formatLengths(kind.lengths)}, ${NATURES[kind.nature]}`
  return createElement(
    'li',
    { 'data-bond': name, 'data-nature': kind.nature },
    createElement(
      'label',
      {},
      input,
      createElement('b', {}, name),
      createElement('span', { class: 'viewer-detail' }, detail),
    ),
  )
}

function formatLengths([shortest, longest]: readonly [number, number]): string {
  const [low, high] = [shortest.toFixed(2), longest.toFixed(2)]
  return low === high ? `${low} Å` : `${low} to ${high} Å`
}

/** Returns the numbers of atoms and bonds in words: `8 atoms, 16 bonds`. */
export function describePicture(
  { crystal, hasAllBonds }: Model,
  { atomCount, bondCount }: Picture,
  { supercell, bonds }: ViewerSettings,
): string {
  const counts = [formatCount(atomCount, 'atom')]
  counts.push(bonds ? formatCount(bondCount, 'bond') : 'bonds not shown')
  if (!hasAllBonds) counts.push('too many neighbours to find all bonds')
  const isRepeated = crystal.isPeriodic && supercell.some((count) => count > 1)
  return counts.join(', ') + (isRepeated ? ` in ${supercell.join(' × ')} cells` : '')
}

/** Returns a number with its noun. */
export const formatCount = (count: number, noun: string): string =>
  `${count} ${noun}${count === 1 ? '' : 's'}`

/**
 * Makes an element with attributes and children. Children that are strings become text, never HTML.
 * @param attributes `true` sets an attribute without a value, `undefined` and `false` none
 */
export function createElement<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Readonly<Record<string, string | boolean | undefined>> = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) {
    if (value === true) element.setAttribute(key, '')
    else if (typeof value === 'string') element.setAttribute(key, value)
  }
  element.append(...children)
  return element
}
