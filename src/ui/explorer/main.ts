import { PAGE_HEADER, REPLAY_HEADER, STATUS_HEADER, send } from '../http/send.js'
import { accounts, hasControls, readKeptSession, session } from '../session/session-state.js'
import type { AccountSummary } from '../session/session-state.js'
import { followResponses } from './follow-responses.js'
import { nameControls } from './name-controls.js'
import { showTexts } from './show-texts.js'
import { checkSession, showSession } from './session-bar.js'
import type { SwaggerResponse, SwaggerUi } from './swagger-ui.js'

/** The documents to show, by the value of the parameter `document` in the address. */
const DOCUMENTS = {
  api: { name: 'The API', url: '/api/2018-10-01/swagger.json' },
  controls: { name: 'The controls', url: '/__admin/openapi.json' },
} as const

/** The security schemes of the document, and the header of the session that each one needs. */
const SCHEMES = { accountId: 'X-Account-Id', authToken: 'X-Auth-Token' } as const

/** Lets Swagger UI be dark where the reader wants it. */
function followColorScheme(): void {
  const dark = matchMedia('(prefers-color-scheme: dark)')
  const show = (): void => {
    document.documentElement.classList.toggle('dark-mode', dark.matches)
  }
  dark.addEventListener('change', show)
  show()
}

/** Shows the document that the address names, signed in as the page is. */
async function start(): Promise<void> {
  try {
    accounts.value = await send<AccountSummary[]>('/__admin/accounts')
    hasControls.value = true
  } catch {
    hasControls.value = false
  }
  session.value = readKeptSession()
  await checkSession()
  const shown = new URLSearchParams(location.search).get('document')
  const key = hasControls.value && shown === 'controls' ? 'controls' : 'api'
  if (hasControls.value) showDocuments(key)
  const authorize = key === 'api' ? createAuthorizer() : () => undefined

  const root = document.querySelector('#explorer')
  if (root !== null) followResponses(root)
  const ui = SwaggerUIBundle({
    domNode: root,
    url: DOCUMENTS[key].url,
    deepLinking: true,
    tryItOutEnabled: true,
    validatorUrl: null,
    plugins: [showTexts, nameControls],
    syntaxHighlight: { theme: 'tomorrow-night' }, // the usual one has too little contrast
    showMutatedRequest: false,
    requestInterceptor: (request) => {
      const mark = request.loadSpec === true ? PAGE_HEADER : REPLAY_HEADER
      request.headers = { ...request.headers, ...mark }
      return request
    },
    responseInterceptor: restoreStatus,
    onComplete: () => authorize(ui),
  })
  const bar = document.querySelector('#session')
  if (bar !== null) showSession(bar, () => authorize(ui))
}

/**
 * Gives a failure the status that it has. It arrives with 200, so that the browser writes nothing to its
 * console.
 */
function restoreStatus(response: SwaggerResponse): SwaggerResponse {
  const { [STATUS_HEADER]: status, ...headers } = response.headers
  if (status === undefined) return response
  return Object.assign(response, { headers, status: Number(status), statusText: '', ok: false })
}

/** Links to the documents. */
function showDocuments(current: keyof typeof DOCUMENTS): void {
  const links = Object.entries(DOCUMENTS).map(([key, { name }]) => {
    const link = document.createElement('a')
    link.href = `/explorer?document=${key}`
    link.textContent = name
    if (key === current) link.setAttribute('aria-current', 'page')
    return link
  })
  document.querySelector('#documents')?.replaceChildren(...links)
}

/**
 * Returns a function that makes Swagger UI send the credentials of the session with each request from
 * then on, or none. Swagger UI can't log out before it has credentials.
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

followColorScheme()
void start()
