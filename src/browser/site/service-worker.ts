/// <reference lib="webworker" />
import type { ReplyMessage, RequestMessage } from './messages.js'

declare const self: ServiceWorkerGlobalScope

// The service worker of a site passes the requests of its pages on to the mock. It holds no state, because a
// browser ends it when it is idle.

/** The path of the site, with a slash at its end. */
const ROOT = new URL(self.registration.scope).pathname

/** The paths that a server answers, below that of the site. All others are files. */
const ANSWERED = /^(?:sandboxes\/[^/]+\/)?(?:api|__admin|oidc|storage)(?:\/|$)/

self.addEventListener('install', () => void self.skipWaiting())
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()))
// A page that was loaded past this worker asks for it, and a page that leads from now on says so.
self.addEventListener('message', (event) => {
  if (event.data === 'lead')
    for (const [drop, page] of pending) if (page !== (event.source as Client).id) drop()
  event.waitUntil(self.clients.claim())
})

self.addEventListener('fetch', (event) => {
  const { origin, pathname, search } = new URL(event.request.url)
  if (origin !== self.location.origin || !pathname.startsWith(ROOT)) return
  const path = pathname.slice(ROOT.length)
  const [, sandbox] = /^sandboxes\/([^/]+)\/?$/.exec(path) ?? []
  if (ANSWERED.test(path)) event.respondWith(passOn(event, `/${path}${search}`))
  else if (sandbox !== undefined)
    event.respondWith(Response.redirect(`${origin}${ROOT}?sandbox=${sandbox}`))
  else if (path === 'explorer/') event.respondWith(Response.redirect(`${origin}${ROOT}explorer`))
  else if (path === 'explorer') event.respondWith(fetch(`${ROOT}explorer.html`))
})

/** The time in which a page says that it can pass a request on, in ms. One that shows an answer of the API does not. */
const PATIENCE = 2000

/** The time in which the scripts of a page load, in ms. */
const LOADING = 30_000

const HEAD_START = 20

/** Returns a page that can pass a request of a page on to the mock. */
async function findPage(own: string, end = Date.now() + LOADING): Promise<Client | undefined> {
  const pages = await self.clients.matchAll({ type: 'window' })
  if (pages.length === 0) return undefined
  const found = await new Promise<Client | undefined>((resolve) => {
    setTimeout(resolve, PATIENCE, undefined)
    for (const page of pages) {
      const { port1, port2 } = new MessageChannel()
      port1.addEventListener('message', () => resolve(page))
      port1.start()
      setTimeout(() => page.postMessage('find', [port2]), page.id === own ? 0 : HEAD_START)
    }
  })
  // The scripts of a page may still be loading.
  const isLoading = pages.some(
    ({ url }) => !ANSWERED.test(new URL(url).pathname.slice(ROOT.length)),
  )
  return found ?? (isLoading && Date.now() < end ? findPage(own, end) : undefined)
}

/** A page for an address of the API, if no page is there that could pass it on: it shows the answer. */
const STARTER = `<!doctype html><base href="${ROOT}"><title>materials-mock</title>
<body style="font-family: monospace; white-space: pre-wrap"><script type="module" src="page.js"></script>`

/** Sends a request to a page, which gives it to the mock with the port for the reply. */
async function passOn({ request, clientId }: FetchEvent, path: string): Promise<Response> {
  const client = await findPage(clientId)
  if (client === undefined) {
    return request.mode === 'navigate'
      ? new Response(STARTER, { headers: { 'content-type': 'text/html; charset=utf-8' } })
      : new Response('Open the page of this site first: its mock runs there.', { status: 503 })
  }
  const { port1, port2 } = new MessageChannel()
  const { method, headers } = request
  const body = await request.arrayBuffer()
  const message: RequestMessage = { method, path, headers: [...headers], body }
  client.postMessage(message, [port2, body])
  return receive(port1, client.id)
}

/** What drops each response that has not ended, and the page that passed its request on. */
const pending = new Map<() => void, string>()

/** Returns the response that arrives at a port, as soon as its head is there. */
function receive(port: MessagePort, page: string): Promise<Response> {
  let body: ReadableStreamDefaultController<Uint8Array>
  const stream = new ReadableStream<Uint8Array>({
    start: (controller) => void (body = controller),
    cancel() {
      pending.delete(drop)
      port.postMessage('cancel')
    },
  })
  let drop: () => void
  return new Promise((resolve) => {
    // A page that is closed before it passes the request on has lost it.
    const watching = setInterval(async () => {
      if ((await self.clients.get(page)) === undefined) drop()
    }, PATIENCE)
    drop = () => {
      clearInterval(watching)
      pending.delete(drop)
      body.error(new TypeError('the connection was dropped'))
      resolve(Response.error()) // unless the head is there
    }
    pending.set(drop, page)
    port.addEventListener('message', ({ data }: MessageEvent<ReplyMessage>) => {
      clearInterval(watching)
      if (data === 'taken') return
      if ('status' in data) {
        const { status, statusText, headers, hasBody } = data
        const init = { status, statusText, headers: [...headers] }
        resolve(new Response(hasBody ? stream : null, init))
      } else if ('chunk' in data) {
        body.enqueue(data.chunk)
      } else if (data.isDropped) {
        drop()
      } else {
        pending.delete(drop)
        body.close()
      }
    })
    port.start()
  })
}
