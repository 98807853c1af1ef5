import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { delimiter, join } from 'node:path'

/** A tab of a browser. What it does, a person could do: clicks and keys go through the browser. */
export interface Tab {
  goto(url: string): Promise<void>
  reload(): Promise<void>
  /** Returns the value of an expression in the page, or what it resolves to. */
  evaluate(expression: string): Promise<unknown>
  /** Clicks the element that an expression of the page returns. */
  click(expression: string): Promise<void>
  /** Types a text where the focus is. */
  type(text: string): Promise<void>
  press(key: Key): Promise<void>
  /** Selects all text where the focus is. */
  selectAll(): Promise<void>
  /** Returns a picture of what the tab shows: a PNG in base64. */
  takePicture(): Promise<string>
  close(): Promise<void>
}

/** A browser that runs. */
export interface Browser {
  openTab(): Promise<Tab>
  close(): Promise<void>
}

/** A browser of this computer. */
export interface Engine {
  readonly name: string
  /** Its programs: one of each list must be there. */
  readonly programs: readonly (readonly string[])[]
  /** Debian's packages with the programs. */
  readonly packages: string
  start(): Promise<Browser>
}

/** Keys, by their names in the DOM and in WebDriver. */
const KEYS = {
  ArrowLeft: 'ARROW_LEFT',
  ArrowRight: 'ARROW_RIGHT',
  ArrowUp: 'ARROW_UP',
  End: 'END',
  Home: 'HOME',
} as const

/** A key that is no letter. */
export type Key = keyof typeof KEYS

/** The time until something must be there, in ms. */
export const PATIENCE = 60_000

/** The time in which a browser must have started, in ms: Firefox makes its profile first. */
const START_TIME = 120_000

/** Width and height of a window, in px. */
const SIZE = { width: 1280, height: 800 }

export const ENGINES: readonly Engine[] = [
  {
    name: 'Chromium',
    programs: [['chromium-headless-shell', 'chromium']],
    packages: 'chromium-headless-shell',
    start: () =>
      launch('chrome', find(['chromium-headless-shell', 'chromium']), {
        headless: true,
        args: ['--no-sandbox', '--enable-unsafe-swiftshader'],
      }),
  },
  {
    name: 'Firefox',
    programs: [['firefox-esr', 'firefox'], ['Xvfb']],
    packages: 'firefox-esr xvfb',
    // Without a screen, it has no WebGL.
    start: () =>
      launch('firefox', find(['firefox-esr', 'firefox']), {
        headless: false,
        extraPrefsFirefox: { 'webgl.force-enabled': true },
        env: { ...process.env, LIBGL_ALWAYS_SOFTWARE: '1' },
      }),
  },
  {
    name: 'WebKit',
    programs: [['WebKitWebDriver'], ['Xvfb']],
    packages: 'webkit2gtk-driver xvfb',
    start: startWebKit,
  },
]

/** Returns why a browser can't be started, or undefined. */
export function findLack({ programs, packages }: Engine): string | undefined {
  const lack = programs.find((names) => find(names) === undefined)
  return lack && `there is no ${lack[0]}; apt-get install ${packages} installs it`
}

/** Returns the path of the first program that is there. */
const find = (names: readonly string[]): string | undefined =>
  names
    .flatMap((name) =>
      (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, name)),
    )
    .find((path) => existsSync(path))

/** A page is loaded when it can be asked what it shows. */
const EARLY = { waitUntil: 'domcontentloaded' } as const

// What is used of the packages, which are not installed for the type checks of the whole project.

interface Element {
  click(): Promise<void>
}

interface PuppeteerPage {
  setDefaultTimeout(ms: number): void
  goto(url: string, options: typeof EARLY): Promise<unknown>
  reload(options: typeof EARLY): Promise<unknown>
  evaluate(expression: string): Promise<unknown>
  evaluateHandle(expression: string): Promise<{ asElement(): Element | null }>
  bringToFront(): Promise<void>
  screenshot(options: { encoding: 'base64' }): Promise<string>
  close(): Promise<void>
  readonly keyboard: {
    type(text: string): Promise<void>
    press(key: string): Promise<void>
    down(key: string): Promise<void>
    up(key: string): Promise<void>
  }
}

interface Puppeteer {
  launch(options: object): Promise<{ newPage(): Promise<PuppeteerPage>; close(): Promise<void> }>
}

interface Actions {
  sendKeys(text: string): Actions
  keyDown(key: string): Actions
  keyUp(key: string): Actions
  perform(): Promise<void>
}

interface SeleniumDriver {
  get(url: string): Promise<void>
  navigate(): { refresh(): Promise<void> }
  executeScript(script: string): Promise<unknown>
  actions(): Actions
  takeScreenshot(): Promise<string>
  close(): Promise<void>
  getAllWindowHandles(): Promise<string[]>
  getWindowHandle(): Promise<string>
  switchTo(): { window(handle: string): Promise<void>; newWindow(type: 'window'): Promise<void> }
  manage(): { window(): { setRect(size: object): Promise<unknown> } }
  quit(): Promise<void>
}

interface Selenium {
  readonly Builder: new () => {
    usingServer(url: string): {
      withCapabilities(all: object): { build(): Promise<SeleniumDriver> }
    }
  }
  readonly Key: Readonly<Record<string, string>>
}

interface ServiceBuilder {
  setLoopback(isLoopback: boolean): ServiceBuilder
  setEnvironment(variables: object): ServiceBuilder
  build(): { start(timeout: number): Promise<string>; kill(): Promise<void> }
}

interface SeleniumRemote {
  readonly DriverService: {
    readonly Builder: new (path: string) => ServiceBuilder
  }
}

const load = createRequire(import.meta.url)

async function launch(
  browser: 'chrome' | 'firefox',
  executablePath: string | undefined,
  options: object,
): Promise<Browser> {
  const puppeteer = load('puppeteer-core') as Puppeteer
  const launched = await puppeteer.launch({
    browser,
    executablePath,
    defaultViewport: SIZE,
    timeout: START_TIME,
    ...options,
  })
  let shown: PuppeteerPage | undefined
  return {
    async openTab() {
      const page = await launched.newPage()
      page.setDefaultTimeout(PATIENCE)
      shown = page
      return toTab(page, async () => {
        // The page of the mock does nothing in a tab that is hidden.
        if (shown !== page) await page.bringToFront()
        shown = page
        return page
      })
    },
    close: () => launched.close(),
  }
}

/** @param show returns the page, in the tab that is in front */
function toTab({ keyboard }: PuppeteerPage, show: () => Promise<PuppeteerPage>): Tab {
  return {
    goto: async (url) => void (await (await show()).goto(url, EARLY)),
    reload: async () => void (await (await show()).reload(EARLY)),
    evaluate: async (expression) => (await show()).evaluate(expression),
    async click(expression) {
      const element = (await (await show()).evaluateHandle(expression)).asElement()
      if (element === null) throw new Error(`there is no ${expression}`)
      await element.click()
    },
    type: async (text) => {
      await show()
      await keyboard.type(text)
    },
    press: async (key) => {
      await show()
      await keyboard.press(key)
    },
    async selectAll() {
      await show()
      await keyboard.down('Control')
      await keyboard.press('a')
      await keyboard.up('Control')
    },
    takePicture: async () => (await show()).screenshot({ encoding: 'base64' }),
    close: async () => (await show()).close(),
  }
}

async function startWebKit(): Promise<Browser> {
  const { Builder, Key: keys } = load('selenium-webdriver') as Selenium
  const { DriverService } = load('selenium-webdriver/remote') as SeleniumRemote
  const service = new DriverService.Builder(find(['WebKitWebDriver']) ?? '')
    // Its sandbox refuses root, which containers run as.
    .setLoopback(true)
    .setEnvironment({ ...process.env, WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1' })
    .build()
  const driver = await new Builder()
    .usingServer(await service.start(START_TIME))
    .withCapabilities({ browserName: 'MiniBrowser' })
    .build()
  await driver.manage().window().setRect(SIZE)
  let shown = ''
  let isNew = true

  async function openTab(): Promise<Tab> {
    if (!isNew) {
      // The window of the last step may be closed, and a new one is opened from one that is open.
      const [open = ''] = await driver.getAllWindowHandles()
      await driver.switchTo().window(open)
      await driver.switchTo().newWindow('window')
    }
    isNew = false
    const handle = await driver.getWindowHandle()
    shown = handle
    /** Returns the driver with this tab in front. */
    const show = async (): Promise<SeleniumDriver> => {
      if (shown !== handle) await driver.switchTo().window(handle)
      shown = handle
      return driver
    }
    return {
      goto: async (url) => (await show()).get(url),
      reload: async () => (await show()).navigate().refresh(),
      evaluate: async (expression) => (await show()).executeScript(`return ${expression}`),
      async click(expression) {
        const element = (await (
          await show()
        ).executeScript(`return ${expression}`)) as Element | null
        if (element === null) throw new Error(`there is no ${expression}`)
        await element.click()
      },
      type: async (text) => (await show()).actions().sendKeys(text).perform(),
      press: async (key) =>
        (await show())
          .actions()
          .sendKeys(keys[KEYS[key]] ?? '')
          .perform(),
      selectAll: async () =>
        (await show())
          .actions()
          .keyDown(keys.CONTROL ?? '')
          .sendKeys('a')
          .keyUp(keys.CONTROL ?? '')
          .perform(),
      takePicture: async () => (await show()).takeScreenshot(),
      close: async () => (await show()).close(),
    }
  }

  return {
    openTab,
    async close() {
      await driver.quit()
      await service.kill()
    },
  }
}
