import { render } from 'preact'

import { PAGE_HEADER, REPLAY_HEADER, STATUS_HEADER } from '../http/send.js'
import { findControls, hasControls, readKeptSession, session } from '../session/session.js'
import { isDark } from '../state/preferences.js'
import { checkSession, DOCUMENTS, ExplorerHeader } from './explorer-header.js'
import { nameControls, resolveLocally, showParametersAsText } from './swagger-plugins.js'

/** The security schemes of the document, and the header of the session that each one needs. */
const SCHEMES = { accountId: 'X-Account-Id', authToken: 'X-Auth-Token' } as const

/** Lets Swagger UI be dark where the reader wants it. */
function showColorScheme(): void {
  document.documentElement.classList.toggle('dark-mode', isDark())
}

async function start(): Promise<void> {
  await findControls().catch(() => undefined)
  session.value = readKeptSession()
  await checkSession()
  const shown = new URLSearchParams(location.search).get('document')
  const key = hasControls.value && shown === 'controls' ? 'controls' : 'api'
  const authorize = key === 'api' ? createAuthorizer() : () => undefined

  const root = document.querySelector('#explorer')
  if (root !== null) followResponses(root)
  const ui = SwaggerUIBundle({
    domNode: root,
    url: DOCUMENTS[key].url,
    deepLinking: true,
    docExpansion: 'none', // all operations at once would take seconds
    defaultModelsExpandDepth: 0,
    tryItOutEnabled: true,
    validatorUrl: null,
    plugins: [showParametersAsText, resolveLocally, nameControls],
    syntaxHighlight: { theme: 'tomorrow-night' }, // the usual one has too little contrast
    showMutatedRequest: false, // the headers of the interceptor are not shown
    requestInterceptor: (request: SwaggerRequest) => {
      const mark = request.loadSpec === true ? PAGE_HEADER : REPLAY_HEADER
      request.headers = { ...request.headers, ...mark }
      return request
    },
    responseInterceptor: restoreStatus,
    onComplete: () => void session.subscribe(() => authorize(ui)),
  })
  const header = document.querySelector('#header')
  if (header !== null) render(<ExplorerHeader current={key} />, header)
}

/** It arrives with 200, so that the browser writes nothing to its console. */
function restoreStatus(response: SwaggerResponse): SwaggerResponse {
  const { [STATUS_HEADER]: status, ...headers } = response.headers
  if (status === undefined) return response
  return Object.assign(response, { headers, status: Number(status), statusText: '', ok: false })
}

/**
 * Swagger UI then sends the session's credentials, or none. It can't log out before it has some.
 */
function createAuthorizer(): (ui: SwaggerUi) => void {
  let isAuthorized = false
  return (ui) => {
    const headers = session.value?.headers
    if (headers !== undefined) {
      for (const [scheme, header] of Object.entries(SCHEMES))
        ui.preauthorizeApiKey(scheme, headers[header])
    } else if (isAuthorized) {
      ui.authActions.logout(Object.keys(SCHEMES))
    }
    isAuthorized = headers !== undefined
  }
}

matchMedia('(prefers-color-scheme: dark)').addEventListener('change', showColorScheme)
showColorScheme()
void start()

interface SwaggerUi {
  /** Sets the value of a security scheme of the type `apiKey`. */
  preauthorizeApiKey(scheme: string, value: string): void
  readonly authActions: { logout(schemes: readonly string[]): void }
}

interface SwaggerRequest {
  readonly loadSpec?: boolean
  headers: Record<string, string>
}

interface SwaggerResponse {
  readonly headers: Readonly<Record<string, string>>
  readonly status: number
}

declare global {
  // oxlint-disable-next-line no-var -- a global function can only be declared as a variable
  var SwaggerUIBundle: (options: object) => SwaggerUi
}

/** A response that has not been shown yet, and blocks of code that the Tab key does not reach yet. */
const NEW_RESPONSE = '.live-responses-table:not([data-followed])'
const NEW_CODE = 'pre.microlight:not([tabindex])'

/** Scrolls to each response as it arrives, and lets the keyboard reach code, which scrolls. */
function followResponses(root: Element): void {
  new MutationObserver(() => {
    for (const code of root.querySelectorAll<HTMLElement>(NEW_CODE)) code.tabIndex = 0
    for (const response of root.querySelectorAll<HTMLElement>(NEW_RESPONSE)) {
      response.dataset.followed = ''
      response.scrollIntoView({ block: 'center' })
    }
  }).observe(root, { childList: true, subtree: true })
}
