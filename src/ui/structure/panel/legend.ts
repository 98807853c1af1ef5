import type { BondKind } from '../../../domain/materials/geometry/bond-kinds.js'
import { findCovalentRadius } from '../../../domain/materials/covalent-radii.js'
import { ELEMENTS } from '../../../domain/materials/elements.js'
import { findElementColor } from '../element-colors.js'
import type { Model } from '../picture.js'
import { createElement } from './create-element.js'
import { formatCount } from './describe-picture.js'

/** What each nature of bonds is called in the legend. */
const NATURES = {
  covalent: 'covalent',
  ionic: 'ionic, not covalent',
  metallic: 'metallic, not covalent',
} as const

/** How the bonds are found, for the reader. */
const RULE =
  'Atoms up to 1.2 times the sum of their covalent radii apart (Cordero 2008) are joined. ' +
  'The rule knows distances only: contacts of ions and of metals are no covalent bonds.'

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
