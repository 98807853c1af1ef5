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
// A page that was loaded past this worker asks for it.
self.addEventListener('message', (event) => event.waitUntil(self.clients.claim()))

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

/** Sends a request to the page that it comes from, which gives it to the mock with the port for the reply. */
async function passOn({ request, clientId }: FetchEvent, path: string): Promise<Response> {
  const client =
    (await self.clients.get(clientId)) ?? (await self.clients.matchAll({ type: 'window' }))[0]
  if (client === undefined)
    return new Response('Open the page of this site first: its mock runs there.', { status: 503 })
  const { port1, port2 } = new MessageChannel()
  const { method, headers } = request
  const body = await request.arrayBuffer()
  const message: RequestMessage = { method, path, headers: [...headers], body }
  client.postMessage(message, [port2, body])
  return receive(port1)
}

/** Returns the response that arrives at a port, as soon as its head is there. */
function receive(port: MessagePort): Promise<Response> {
  let body: ReadableStreamDefaultController<Uint8Array>
  const stream = new ReadableStream<Uint8Array>({
    start: (controller) => void (body = controller),
    cancel: () => port.postMessage('cancel'),
  })
  return new Promise((resolve) => {
    port.addEventListener('message', ({ data }: MessageEvent<ReplyMessage>) => {
      if ('status' in data) {
        const { status, statusText, headers, hasBody } = data
        const init = { status, statusText, headers: [...headers] }
        resolve(new Response(hasBody ? stream : null, init))
      } else if ('chunk' in data) {
        body.enqueue(data.chunk)
      } else if (data.isDropped) {
        body.error(new TypeError('the connection was dropped'))
        resolve(Response.error()) // unless the head is there
      } else {
        body.close()
      }
    })
    port.start()
  })
}
