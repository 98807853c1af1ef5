// What the pages of a site run first: it starts the mock, waits for the service worker, and then loads the page.

/** A tab without shared workers has a mock of its own. */
const worker =
  'SharedWorker' in globalThis
    ? new SharedWorker('worker.js', { type: 'module' }).port
    : new Worker('worker.js', { type: 'module' })

/** Waits until the service worker passes on the requests of this page. */
async function connect(): Promise<void> {
  const { serviceWorker } = navigator
  serviceWorker.addEventListener('message', ({ data, ports }) =>
    worker.postMessage(data, [...ports, data.body]),
  )
  serviceWorker.startMessages()
  await serviceWorker.register('service-worker.js')
  const { active } = await serviceWorker.ready
  if (serviceWorker.controller !== null) return
  const controlled = new Promise((resolve) =>
    serviceWorker.addEventListener('controllerchange', resolve, { once: true }),
  )
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker is of one origin
  active?.postMessage('control')
  await controlled
}

async function start(): Promise<void> {
  if (!('serviceWorker' in navigator)) {
    throw new Error(
      'it needs a service worker, which a browser has on https and on localhost, and not in a private window of some browsers',
    )
  }
  await connect()
  const script = document.querySelector<HTMLScriptElement>('script[data-page]')
  if (script?.dataset.page !== undefined)
    await import(new URL(script.dataset.page, document.baseURI).href)
}

start().catch((error: Error) => {
  document.body.textContent = `This page can't start: ${error.message}`
})
