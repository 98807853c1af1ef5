/** A response that has not been shown yet, and blocks of code that the Tab key does not reach yet. */
const NEW_RESPONSE = '.live-responses-table:not([data-followed])'
const NEW_CODE = 'pre.microlight:not([tabindex])'

/** Scrolls to each response as it arrives, and lets the keyboard reach code, which scrolls. */
export function followResponses(root: Element): void {
  new MutationObserver(() => {
    for (const code of root.querySelectorAll<HTMLElement>(NEW_CODE)) code.tabIndex = 0
    for (const response of root.querySelectorAll<HTMLElement>(NEW_RESPONSE)) {
      response.dataset.followed = ''
      response.scrollIntoView({ block: 'center' })
    }
  }).observe(root, { childList: true, subtree: true })
}
