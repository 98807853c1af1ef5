import { createElement } from './create-element.js'

/** The elements of a viewer, apart from its controls. */
export interface Stage {
  readonly element: HTMLElement
  readonly canvas: HTMLCanvasElement
  /** Shows a text in the place of the picture, or the picture. */
  readonly showMessage: (message: string | undefined) => void
  /** Says what the picture shows. */
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
