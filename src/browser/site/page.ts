// What the pages of a site run first: it starts the mock, waits for the service worker, and then loads the page.

const { serviceWorker } = navigator

/** The time in which the service worker must have taken a page that was loaded past it, in ms. */
const PATIENCE = 2000

/** Waits until the worker of the mock runs. */
function open(worker: SharedWorker | Worker): Promise<MessagePort | Worker> {
  const port = 'port' in worker ? worker.port : worker
  return new Promise((resolve, reject) => {
    port.addEventListener('message', () => resolve(port), { once: true })
    if ('port' in worker) worker.port.start()
    worker.addEventListener('error', () => reject(new Error("worker.js can't be loaded")))
  })
}

/** Leads from when no other tab does, and as long as this tab is there. */
const lead = (): Promise<void> =>
  new Promise((resolve) => {
    void navigator.locks.request(`materials-mock ${new URL('.', document.baseURI).href}`, () => {
      resolve()
      void serviceWorker.ready.then(({ active }) => active?.postMessage('lead'))
      return new Promise(() => undefined)
    })
  })

const isShared = 'SharedWorker' in globalThis

/** Until this page may pass requests on: to a worker that all tabs share, or to that of this tab if it leads. */
const leading = isShared ? Promise.resolve() : lead()

const opening = leading.then(() =>
  open(new (isShared ? SharedWorker : Worker)('worker.js', { type: 'module' })),
)

async function connect(): Promise<void> {
  serviceWorker.addEventListener('message', async ({ data, ports }) => {
    if (data === 'find') {
      await leading // and not for the worker, which takes seconds to load on a slow computer
      ports[0]?.postMessage('here')
    } else {
      const port = await opening
      port.postMessage(data, [...ports, data.body])
    }
  })
  serviceWorker.startMessages()
  await serviceWorker.register('service-worker.js')
  const { active } = await serviceWorker.ready
  if (serviceWorker.controller !== null) return
  const isControlled = await new Promise((resolve) => {
    serviceWorker.addEventListener('controllerchange', () => resolve(true), { once: true })
    setTimeout(resolve, PATIENCE, false)
    active?.postMessage('control')
  })
  if (isControlled) return
  // WebKit now and then does not tell a page that the worker has taken it, but does when it is loaded again.
  const [navigation] = performance.getEntriesByType('navigation')
  if ((navigation as PerformanceNavigationTiming).type === 'reload')
    throw new Error('its service worker does not take it; close all its tabs, and open it again')
  location.reload()
  await new Promise(() => undefined)
}

async function start(): Promise<void> {
  if (!('serviceWorker' in navigator)) {
    throw new Error(
      'it needs a service worker, which a browser has on https and on localhost, and not in a private window of some browsers',
    )
  }
  opening.catch(fail)
  await connect()
  const script = document.querySelector<HTMLScriptElement>('script[data-page]')
  if (script?.dataset.page !== undefined)
    await import(new URL(script.dataset.page, document.baseURI).href)
  else document.body.textContent = await (await fetch(location.href)).text()
}

const fail = (error: Error): void => {
  document.body.textContent = `This page can't start: ${error.message}`
}

start().catch(fail)
