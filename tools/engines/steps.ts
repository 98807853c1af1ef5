import { PATIENCE } from './drivers.js'
import type { Browser, Tab } from './drivers.js'

/** Where the steps are taken. */
export interface Place {
  readonly browser: Browser
  readonly tab: Tab
  /** The address of a server of this browser alone, with a slash at its end. */
  readonly server: string
  /** The address of a site, with a slash at its end. */
  readonly site: string
  /** That of the same site, whose worker takes seconds to arrive. */
  readonly slowSite: string
}

/** What a person does in a browser, and sees. It throws if they would see something else. */
export interface Step {
  readonly name: string
  /** The browser that can't take it. */
  readonly except?: string
  take(place: Place): Promise<void>
}

/** The time between two looks, in ms. */
const PAUSE = 100

const API = 'api/2018-10-01'

const CREDENTIALS = {
  'X-Account-Id': 'oEb32zJWy27miFESb',
  'X-Auth-Token': 'demo-preferences-token',
  'Content-Type': 'application/json',
}

/** The steps, in their order: each one needs no other. */
export const STEPS: readonly Step[] = [
  {
    name: 'the page lists the materials',
    async take({ tab, server }) {
      await tab.goto(server)
      await see(tab, `document.querySelectorAll('.table-scroll tbody tr').length === 50`)
    },
  },
  {
    name: 'a search finds one',
    async take({ tab, server }) {
      await tab.goto(server)
      await click(tab, 'input[type=search]')
      await tab.type('gold')
      await see(tab, `document.querySelectorAll('.table-scroll tbody tr').length === 1`)
      await see(tab, find('tbody tr', 'Au, Gold'))
    },
  },
  {
    name: 'a structure is drawn, and turned by a key',
    async take({ tab, server }) {
      await tab.goto(`${server}?search=gold`)
      await click(tab, 'tbody tr a', 'Au')
      await see(tab, find('.viewer-status', 'atom'))
      const before = await seeDrawing(tab)
      await tab.evaluate(`${find('.viewer-canvas')}.focus()`)
      await tab.press('ArrowLeft')
      await repeat('the drawing stays as it was', async () => (await readCanvas(tab)) !== before)
    },
  },
  {
    name: 'an item is made, and edited',
    async take({ tab, server }) {
      await tab.goto(`${server}/?resource=projects`) // the pane of a material shows its structure
      await makeItem(tab, 'Made by hand')
      await click(tab, '.item-pane button', 'Edit')
      await selectText(tab, '.item-pane')
      for (const key of ['ArrowRight', 'ArrowUp', 'End'] as const) await tab.press(key)
      await tab.type(', "note": "edited by hand"')
      await click(tab, 'button', 'Save')
      const query = encodeURIComponent('{"name": "Made by hand", "note": "edited by hand"}')
      await repeat('it is not saved', async () => {
        const { data } = await ask(`${server}${API}/projects?query=${query}`)
        return data.length === 1
      })
      await see(tab, find('.item-pane', 'edited by hand'))
    },
  },
  {
    name: 'the list shows at once what others write',
    async take({ tab, server }) {
      await tab.goto(server)
      await see(tab, find('tbody tr', 'Cu, Copper'))
      const { data } = await ask(`${server}${API}/materials?query={"formula":"Cu"}`)
      const change = { method: 'PATCH', body: '{"name": "Written by another"}' }
      await ask(`${server}${API}/materials/${data[0]?._id}`, change)
      await see(tab, find('tbody tr', 'Written by another'))
    },
  },
  {
    name: 'the slider of a job shows it as it was',
    async take({ tab, server }) {
      await tab.goto(`${server}?resource=jobs&item=9gyhfncWDhnSyzALv`)
      const seeStep = (name: string) => see(tab, find('[aria-current=step]', name))
      await seeStep('finished')
      await see(tab, find('.plot svg'))
      await see(tab, find('input[type=range]'))
      await tab.evaluate(`${find('input[type=range]')}.focus()`)
      await see(tab, `document.activeElement === ${find('input[type=range]')}`)
      await tab.press('Home')
      await seeStep('pre-submission')
      await tab.press('End')
      await seeStep('finished')
      await see(tab, `!${find('.clock-line')}`) // at its end, the clock runs again
    },
  },
  {
    name: 'requests are listed as they come',
    async take({ tab, server }) {
      await tab.goto(`${server}?view=requests`)
      await see(tab, find('.live.on'))
      await fetch(`${server}${API}/materials/nothing`, { headers: CREDENTIALS })
      await click(tab, 'tbody tr a', '/materials/nothing')
      await see(tab, find('.item-pane pre', 'ITEM_NOT_FOUND'))
    },
  },
  {
    name: 'a switch makes requests fail, and ends it',
    async take({ tab, server }) {
      await tab.goto(`${server}?view=controls`)
      for (const [status, count] of [
        [429, 1],
        [200, 0],
      ] as const) {
        await click(tab, 'label:has([role=switch])', 'Rate limit')
        await see(tab, `document.querySelectorAll('.fault-line').length === ${count}`)
        const answer = await fetch(`${server}${API}/materials`, { headers: CREDENTIALS })
        if (answer.status !== status) throw new Error(`${answer.status}, not ${status}`)
      }
    },
  },
  {
    name: 'a dropped connection reaches the page, once and again',
    except: 'WebKit', // which repeats a request whatever has arrived
    async take({ tab, server }) {
      await tab.goto(server)
      await see(tab, find('tbody tr'))
      const headers = { 'Content-Type': 'application/json' }
      const body = JSON.stringify({ path: `/${API}/materials`, drop: 'reset', times: 1 })
      for (const method of ['GET', 'GET', 'POST', 'PUT']) {
        await ask(`${server}__admin/faults`, { method: 'POST', headers, body })
        const dropped = await readStatus(tab, `${API}/materials`, { method })
        if (dropped !== 'no answer') throw new Error(`${method}: ${dropped}`)
        const next = await readStatus(tab, `${API}/materials`, { headers: CREDENTIALS })
        if (next !== '200') throw new Error(`${next} after a dropped connection`)
      }
    },
  },
  {
    name: 'the explorer sends a request',
    async take({ tab, server }) {
      await tab.goto(`${server}explorer`)
      await see(tab, find('#session', 'Logged in as demo'))
      await click(tab, '#operations-tag-materials')
      await click(tab, '#operations-materials-materials-list .opblock-summary-control')
      await click(tab, '#operations-materials-materials-list button.execute')
      await see(tab, find('.live-responses-table .response-col_status', '200'))
    },
  },
  {
    name: 'a site lists its materials',
    async take({ tab, site }) {
      await tab.goto(site)
      await see(tab, find('body', 'The server is in this browser'))
      await see(tab, `document.querySelectorAll('.table-scroll tbody tr').length === 50`)
    },
  },
  {
    name: 'all tabs of a site show what is made in one, also after a reload',
    async take({ browser, tab, site }) {
      const other = await browser.openTab()
      for (const each of [tab, other]) {
        await each.goto(`${site}?sort={"createdAt":-1}`)
        await see(each, find('tbody tr'))
      }
      await makeItem(other, 'Made in a tab')
      await see(tab, find('tbody tr', 'Made in a tab'))
      for (const each of [tab, other]) {
        await each.reload()
        await see(each, find('tbody tr', 'Made in a tab'))
      }
      await click(other, 'button', 'Reset')
      for (const each of [tab, other])
        await see(each, `${find('tbody tr')} && !${find('tbody tr', 'Made in a tab')}`)
      await other.close()
    },
  },
  {
    name: 'a site whose worker arrives late lists its materials in each tab',
    async take({ browser, tab, slowSite }) {
      const other = await browser.openTab()
      for (const each of [tab, other]) await each.goto(slowSite)
      for (const each of [tab, other]) await see(each, find('tbody tr', 'Cu, Copper'))
      await other.close()
    },
  },
  {
    name: 'a site that is left while it loads opens again',
    async take({ tab, site }) {
      for (let count = 0; count < 4; count += 1) await tab.goto(site)
      await see(tab, find('tbody tr', 'Cu, Copper'))
    },
  },
  {
    name: 'a fault of a site makes its requests fail',
    async take({ tab, site }) {
      await tab.goto(site)
      await see(tab, find('tbody tr'))
      for (const [fault, outcome] of [
        [{ status: 503 }, '503'],
        [{ drop: 'reset' }, 'no answer'],
      ] as const) {
        const body = JSON.stringify({ path: '/api/*/materials', ...fault })
        const headers = { 'Content-Type': 'application/json' }
        await readStatus(tab, '__admin/faults', { method: 'POST', headers, body })
        const status = await readStatus(tab, `${API}/materials`)
        if (status !== outcome) throw new Error(`${body}: ${status}, not ${outcome}`)
        await readStatus(tab, '__admin/faults', { method: 'DELETE' })
      }
    },
  },
]

/** Waits until something is so. */
async function repeat(lack: string, isSo: () => Promise<unknown>): Promise<void> {
  const end = Date.now() + PATIENCE
  for (;;) {
    let reason = ''
    try {
      if (await isSo()) return
    } catch (error) {
      // A page that is loading has nothing yet, and one that changes replaces what was found.
      reason = `: ${(error as Error).message}`
    }
    if (Date.now() > end) throw new Error(`${lack}${reason}`)
    await new Promise((resolve) => setTimeout(resolve, PAUSE))
  }
}

/** Returns an expression for the first element of a selector with a text in it. */
const find = (selector: string, text = ''): string =>
  `[...document.querySelectorAll(${JSON.stringify(selector)})].find((each) => each.textContent.includes(${JSON.stringify(text)}))`

/** Waits until an expression is true in a page. A failure says what the page shows. */
async function see(tab: Tab, expression: string): Promise<void> {
  try {
    await repeat(`never so: ${expression}`, () => tab.evaluate(`Boolean(${expression})`))
  } catch (error) {
    const shown = String(await tab.evaluate('document.body.innerText')).replaceAll(/\s+/g, ' ')
    throw new Error(`${(error as Error).message}; it shows: ${shown.slice(-500)}`, { cause: error })
  }
}

/** Clicks an element as soon as it is there. */
const click = (tab: Tab, selector: string, text?: string): Promise<void> =>
  repeat(`can't click ${selector} ${text ?? ''}`, async () => {
    await tab.click(find(selector, text))
    return true
  })

/** Selects all text of the editor in an element. */
async function selectText(tab: Tab, selector: string): Promise<void> {
  const editor = `${selector} .json-editor`
  await see(tab, `${find(editor)}.shadowRoot.querySelector('.cm-content')`)
  await click(tab, editor)
  await see(tab, `${find(editor)} === document.activeElement`)
  await tab.selectAll()
}

/** Makes a material on the page, which then shows it. */
async function makeItem(tab: Tab, name: string): Promise<void> {
  await click(tab, '#new-item')
  await selectText(tab, 'dialog')
  await tab.type(JSON.stringify({ name }))
  await click(tab, 'button', 'Create')
  await see(tab, find('.item-pane h2', name))
}

/** Asks a server from outside of the browser. */
async function ask(
  url: string,
  init: RequestInit = {},
): Promise<{ readonly data: readonly { readonly _id: string }[] }> {
  const response = await fetch(url, { headers: CREDENTIALS, ...init })
  const text = await response.text()
  if (!response.ok) throw new Error(`${url}: ${response.status} ${text}`)
  return JSON.parse(text)
}

/** Sends a request from a page, and returns the status or `no answer`. */
const readStatus = (tab: Tab, path: string, init: object = {}): Promise<unknown> =>
  tab.evaluate(
    `fetch(${JSON.stringify(path)}, ${JSON.stringify(init)}).then(({ status }) => String(status), () => 'no answer')`,
  )

/** How many colors a structure has on the screen, at least: its atoms are lit. */
const COLORS = 100

/** Waits until a structure is drawn, and returns what its canvas shows. */
async function seeDrawing(tab: Tab): Promise<string> {
  let drawing = ''
  await repeat('nothing is drawn', async () => {
    drawing = await readCanvas(tab)
    return Number(drawing.split(' ')[0]) > COLORS
  })
  return drawing
}

/** Returns the number of colors that the canvas has on the screen, and a digest of its pixels. */
async function readCanvas(tab: Tab): Promise<string> {
  const picture = await tab.takePicture()
  return String(
    await tab.evaluate(`(async () => {
      const bytes = Uint8Array.from(atob(${JSON.stringify(picture)}), (each) => each.charCodeAt(0))
      const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/png' }))
      const { x, y, width, height } = document.querySelector('.viewer-canvas').getBoundingClientRect()
      const scale = bitmap.width / innerWidth
      const context = new OffscreenCanvas(width, height).getContext('2d')
      context.drawImage(bitmap, x * scale, y * scale, width * scale, height * scale, 0, 0, width, height)
      const pixels = new Uint32Array(context.getImageData(0, 0, width, height).data.buffer)
      let digest = 0
      for (const pixel of pixels) digest = (Math.imul(digest, 31) + pixel) | 0
      return new Set(pixels).size + ' ' + digest
    })()`),
  )
}
