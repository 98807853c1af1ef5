import { render } from 'preact'

import { App } from './frame/app.js'
import { Boundary } from './widgets/toasts.js'

/** The elements that can take the focus without opening a keyboard on a touch screen. */
const FOCUSABLE = 'button:not(:disabled), a[href], select, [tabindex="0"]'

const page = document.getElementById('page')
if (page !== null) {
  render(
    <Boundary as="main">
      <App />
    </Boundary>,
    page,
  )
  keepFocus(page)
}

/** When the focused element is removed; the browser would start at the top of the page. */
function keepFocus(root: Element): void {
  let path: readonly Element[] = []
  root.addEventListener('focusin', ({ target }) => {
    path = listAncestors(target as Element)
  })
  new MutationObserver(() => {
    if (document.activeElement !== document.body || path[0]?.isConnected !== false) return
    const left = path.filter((each) => each !== root && root.contains(each))
    const next = left.map((each) => each.querySelector<HTMLElement>(FOCUSABLE)).find(Boolean)
    const main = root.querySelector<HTMLElement>('main')
    path = []
    ;(next ?? main)?.focus()
  }).observe(root, { childList: true, subtree: true })
}

function listAncestors(element: Element | null): Element[] {
  return element === null ? [] : [element, ...listAncestors(element.parentElement)]
}
