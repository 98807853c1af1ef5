import { readFileSync } from 'node:fs'

import type { Locator, Page } from 'playwright-core'
import t from 'tap'

import type { DrawableMaterial } from '@materials-mock/structures'
import { skipReason } from '../helpers/browser.js'
import { waitFor } from '../helpers/build.js'
import {
  BENZENE,
  METHANE,
  NACL,
  SILICON,
  WATER,
  createMaterial,
} from '../../packages/structures/test/structures.js'
import { openStructurePage } from './structure-page.js'

type Shipped = DrawableMaterial & { readonly name: string }

const SHIPPED: readonly Shipped[] = JSON.parse(
  readFileSync(new URL('../../fixtures/materials.json', import.meta.url), 'utf8'),
)

/** @param name the beginning of the name of a shipped material */
const findShipped = (name: string): DrawableMaterial =>
  SHIPPED.find((material) => material.name.startsWith(name)) ?? {}

t.test('structures in a browser', { skip: skipReason() }, async (t) => {
  const { page, messages } = await openStructurePage(t)
  const canvas = page.locator('canvas')
  const status = page.locator('.viewer-status')
  await page.setViewportSize({ width: 360, height: 500 })
  await mount(page)

  await t.test('atoms and bonds are those of textbooks, and are drawn', async (t) => {
    const cases: [name: string, DrawableMaterial, status: string, legend: RegExp][] = [
      [
        'NaCl',
        findShipped('NaCl'),
        '2 atoms, 6 bonds',
        /Na–Cl6 bonds, 2.85 Å, ionic, not covalent/,
      ],
      ['NaCl, cubic cell', NACL, '8 atoms, 24 bonds', /Na4 atoms, radius 1.66 Å.*Cl4 atoms/],
      ['Si', findShipped('Silicon FCC'), '2 atoms, 4 bonds', /Si–Si4 bonds, 2.37 Å, covalent/],
      ['Si, cubic cell', SILICON, '8 atoms, 16 bonds', /Si8 atoms, radius 1.11 Å/],
      ['graphene', findShipped('C, Graphene, HEX'), '2 atoms, 3 bonds', /C–C3 bonds, 1.42 Å, cov/],
      ['water', WATER, '3 atoms, 2 bonds', /H–O2 bonds, 0.96 Å/],
      ['methane', METHANE, '5 atoms, 4 bonds', /H–C4 bonds, 1.09 Å/],
      ['benzene', BENZENE, '12 atoms, 12 bonds', /H–C6 bonds, 1.08 Å, covalentC–C6 bonds, 1.40 Å/],
      ['copper', findShipped('Cu'), '1 atom, 6 bonds', /Cu–Cu6 bonds, .*metallic, not covalent/],
    ]
    for (const [name, material, counts, legend] of cases) {
      await show(page, material)
      t.equal(await status.textContent(), counts, name)
      t.match(await page.locator('.viewer-legend').textContent(), legend, name)
      t.ok((await countColors(page, canvas)) > 100, `${name}: the canvas is not blank`)
    }
    await show(page, {})
    t.equal(await page.getByRole('alert').textContent(), 'This material has no atoms')
  })

  await t.test('mouse, touch and keys turn the structure', async (t) => {
    await show(page, NACL)
    const box = (await canvas.boundingBox()) ?? { x: 0, y: 0 }
    const [x, y] = [box.x + 150, box.y + 100]
    const touch = await page.context().newCDPSession(page)
    const swipe = async (...fingers: { x: number; y: number; id: number }[][]): Promise<void> => {
      for (const [index, touchPoints] of fingers.entries()) {
        const type = index === 0 ? 'touchStart' : 'touchMove'
        await touch.send('Input.dispatchTouchEvent', { type, touchPoints })
      }
      await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
    }
    const drag = async (): Promise<void> => {
      await page.mouse.move(x, y)
      await page.mouse.down()
      await page.mouse.move(x + 40, y + 20)
      await page.mouse.up()
    }
    const press = (key: string) => (): Promise<void> => canvas.press(key)
    const moves: [name: string, () => Promise<void>][] = [
      ['a drag', drag],
      [
        'a drag with Shift',
        async () => {
          await page.keyboard.down('Shift')
          await drag()
          await page.keyboard.up('Shift')
        },
      ],
      ['the wheel', () => page.mouse.wheel(0, -120)],
      ['the key 0', press('0')],
      ['a finger', () => swipe([{ x, y, id: 1 }], [{ x: x + 50, y, id: 1 }])],
      [
        'two fingers',
        () =>
          swipe(
            [
              { x, y, id: 1 },
              { x: x + 60, y, id: 2 },
            ],
            [
              { x, y, id: 1 },
              { x: x + 120, y, id: 2 },
            ],
          ),
      ],
      ['a key', press('ArrowLeft')],
    ]
    let before = await takePicture(page, canvas)
    for (const [name, move] of moves) {
      await move()
      const after = await takePicture(page, canvas)
      t.notOk(after.equals(before), `${name} changes the picture`)
      before = after
    }
    await canvas.press('x')
    t.ok((await takePicture(page, canvas)).equals(before), 'another key changes nothing')
    await canvas.press('0')
    await canvas.blur()
    const reset = await takePicture(page, canvas)
    await drag()
    await page.getByRole('button', { name: 'Reset view' }).click()
    t.ok((await takePicture(page, canvas)).equals(reset), 'the button does what the key 0 does')
  })

  await t.test('another structure begins as it is drawn first', async (t) => {
    const readPose = (): Promise<string> => page.evaluate('viewer.readState().pose')
    await canvas.press('ArrowLeft')
    await waitFor(async () => (await readPose()) !== '')
    await show(page, WATER)
    await waitFor(async () => (await readPose()) === '')
    t.equal(await status.textContent(), '3 atoms, 2 bonds')
    for (const [name, isDisabled] of [
      ['Cells along a', true],
      ['Edges', true],
      ['Axes', false],
    ] as const)
      t.equal(await page.getByLabel(name, { exact: true }).isDisabled(), isDisabled, name)
  })

  await t.test('each control changes the picture', async (t) => {
    await show(page, SILICON)
    let before = await takePicture(page, canvas)
    for (const name of ['Labels', 'Axes', 'Edges', 'Parallel', 'Bonds']) {
      await page.getByLabel(name, { exact: true }).click()
      const after = await takePicture(page, canvas)
      t.notOk(after.equals(before), name)
      before = after
    }
    t.equal(await status.textContent(), '8 atoms, bonds not shown')
    await page.getByLabel('Bonds', { exact: true }).check()
    await page.getByLabel('Cells along a').selectOption('2')
    await page.getByLabel('Cells along c').selectOption('5')
    t.equal(await status.textContent(), '80 atoms, 160 bonds in 2 × 1 × 5 cells')
    t.notOk((await takePicture(page, canvas)).equals(before))
    t.match(await page.evaluate('JSON.parse(viewer.readState().structure)'), {
      supercell: [2, 1, 5],
      labels: true,
    })

    await show(page, findShipped('SrTiO3'))
    t.equal(await status.textContent(), '50 atoms, 180 bonds in 2 × 1 × 5 cells', 'settings stay')
    await page.getByLabel('Sr–Ti').check()
    t.match(await status.textContent(), '50 atoms, 260 bonds', 'contacts of metals can be drawn')
    await page.getByLabel('Sr–Ti').uncheck()
    t.match(await status.textContent(), '50 atoms, 180 bonds')
  })

  await t.test('a label is in the middle of its atom', async (t) => {
    await mount(page)
    await show(page, createMaterial([2, 2, 2], [['O', 0.5, 0.5, 0.5]]))
    for (const name of ['Axes', 'Edges', 'Bonds'])
      await page.getByLabel(name, { exact: true }).uncheck()
    await page.getByLabel('Parallel').check() // the middle of the cell is then that of the picture
    const bare = await takePicture(page, canvas)
    await page.getByLabel('Labels').check()
    const [x, y] = await findChange(page, bare, await takePicture(page, canvas))
    t.ok(Math.abs(x - 0.5) < 0.02 && Math.abs(y - 0.5) < 0.02, `it is at ${x}, ${y}`)
  })

  await t.test('labels of a large supercell keep a size that can be read', async (t) => {
    await mount(page)
    await page.emulateMedia({ colorScheme: 'dark' })
    await show(page, findShipped('Al2O3'))
    for (const axis of ['a', 'b', 'c'])
      await page.getByLabel(`Cells along ${axis}`).selectOption('3')
    for (const name of ['Axes', 'Edges', 'Bonds', 'Labels'])
      await page.getByLabel(name, { exact: true }).click()
    const heights = await findLetters(page, await takePicture(page, canvas))
    const large = heights.filter((height) => height >= 7)
    t.ok(large.length >= 10, `letters have heights of ${heights.join()} pixels`)
    await page.emulateMedia({ colorScheme: 'light' })
  })

  await t.test('the whole cell is in the first view, also one that is mostly empty', async (t) => {
    await mount(page)
    for (const name of ['C, Graphene, HEX', 'Silicon FCC', 'C, Graphene Zigzag']) {
      await show(page, findShipped(name))
      for (const each of ['Axes', 'Bonds']) await page.getByLabel(each, { exact: true }).uncheck()
      const [left, top, right, bottom] = await findContent(page, await takePicture(page, canvas))
      const text = `${name}: ${[left, top, right, bottom].join()}`
      t.ok(Math.min(left, top, right, bottom) >= 3, `${text} pixels around it are free`)
    }
  })

  await t.test('a picture is downloaded as PNG', async (t) => {
    await show(page, NACL)
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download PNG' }).click(),
    ])
    t.equal(download.suggestedFilename(), 'structure.png')
    const png = readFileSync(await download.path())
    t.equal(png.toString('latin1', 1, 4), 'PNG')
    const width = await canvas.evaluate((element) => (element as unknown as Size).clientWidth)
    t.equal(png.readUInt32BE(16), 2 * width, 'twice as many pixels as CSS has')
    t.ok((await countColors(page, png)) > 100)
  })

  await t.test('2,000 atoms are a few draw calls, and frames are drawn on demand', async (t) => {
    await mount(page)
    const large = createMaterial(
      [30, 30, 30],
      Array.from({ length: 2000 }, (_, index) => [
        'Si',
        ((index % 13) + 0.5) / 13,
        ((Math.floor(index / 13) % 13) + 0.5) / 13,
        (Math.floor(index / 169) + 0.5) / 13,
      ]),
    )
    await show(page, large)
    await page.getByLabel('Labels').check()
    await nextFrame(page)
    const first = await readStatistics(page)
    // Atoms, bonds, edges and one text; the rods, balls and three names of the axes.
    t.equal(first.drawCalls, 9)
    t.ok(first.triangles < 1_200_000, `${first.triangles} triangles`)
    await nextFrame(page)
    t.equal((await readStatistics(page)).frames, first.frames, 'no frame without a change')
    await page.evaluate(`for (let count = 0; count < 50; count += 1)
      document.querySelector('canvas').dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowLeft' }))`)
    await nextFrame(page)
    t.equal((await readStatistics(page)).frames, first.frames + 1, 'many changes are one frame')
  })

  await t.test('a supercell that is too large is refused', async (t) => {
    await page.getByLabel('Cells along a').selectOption('4')
    for (const attempt of ['the first', 'the second']) {
      await page.getByLabel('Cells along c').selectOption('4')
      t.match(
        await status.textContent(),
        /^At most 30000 atoms are drawn, so 4 × 1 × 4 cells are too many. 8000 atoms, /,
      )
      t.equal(await page.getByLabel('Cells along c').inputValue(), '1', attempt)
    }
    await page.getByLabel('Cells along a').selectOption('1')
    t.match(await status.textContent(), /^2000 atoms, /)
  })

  await t.test('texts of fixtures are never HTML', async (t) => {
    const symbol = '<img src=x onerror="document.title=1">'
    await show(page, createMaterial([4, 4, 4], [[symbol, 0, 0, 0]]))
    t.match(await page.locator('.viewer-legend').textContent(), symbol)
    t.equal(await page.locator('.viewer img').count(), 0)
  })

  await t.test('light and dark pages have their own colours', async (t) => {
    await show(page, NACL)
    const pictures: Buffer[] = []
    for (const colorScheme of ['light', 'dark', 'light'] as const) {
      const { frames } = await readStatistics(page)
      await page.emulateMedia({ colorScheme })
      // The first scheme is that of before, and changes nothing.
      const least = frames + Math.min(1, pictures.length)
      while ((await readStatistics(page)).frames < least) await nextFrame(page)
      pictures.push(await takePicture(page, canvas))
    }
    const [light, dark, again] = pictures
    t.notOk(light?.equals(dark ?? Buffer.of()))
    t.ok(light?.equals(again ?? Buffer.of()))
  })

  await t.test('without WebGL, a text says so', async (t) => {
    await page.evaluate(`{
      const getContext = HTMLCanvasElement.prototype.getContext
      HTMLCanvasElement.prototype.getContext = function (type, options) {
        return type === 'webgl2' ? null : getContext.call(this, type, options)
      }
      window.restore = () => { HTMLCanvasElement.prototype.getContext = getContext }
    }`)
    await mount(page)
    await show(page, NACL)
    t.match(await page.getByRole('alert').textContent(), /cannot draw in 3D: WebGL 2 is missing/)
    t.notOk(await canvas.isVisible())
    t.equal(await status.textContent(), '8 atoms, 24 bonds')
    await page.evaluate('restore()')
    await mount(page)
  })

  await t.test('a context that the browser takes away comes back with the picture', async (t) => {
    await page.setViewportSize({ width: 360, height: 500 })
    await mount(page)
    await show(page, NACL)
    await page.getByLabel('Labels').check()
    let before = await takePicture(page, canvas)
    await waitFor(async () => {
      const last = before
      before = await takePicture(page, canvas)
      return before.equals(last)
    })
    await page.evaluate(`{
      window.loss = document.querySelector('canvas').getContext('webgl2').getExtension('WEBGL_lose_context')
      loss.loseContext()
    }`)
    await nextFrame(page)
    await page.evaluate(`new Promise((done) => {
      document.querySelector('canvas').addEventListener('webglcontextrestored', done)
      loss.restoreContext()
    })`)
    // A later frame draws it. The browser may round the corners of the element in another way.
    await waitFor(async () => isSamePicture(page, before, await takePicture(page, canvas)))
    t.pass('the picture is the same')
  })

  await t.test('a viewer that ends frees its context and leaves the page', async (t) => {
    await page.evaluate(`window.context = document.querySelector('canvas').getContext('webgl2')`)
    t.equal(await page.evaluate('context.isContextLost()'), false)
    await page.evaluate('viewer.dispose()')
    t.equal(await page.evaluate('context.isContextLost()'), true)
    t.equal(await page.locator('main').innerHTML(), '')
  })

  const loss = ['Lost', 'Restored'].map((what) => `THREE.WebGLRenderer: Context ${what}.`)
  t.same(messages, loss, 'only the loss of the context is written to the console')
})

interface Size {
  readonly clientWidth: number
}

interface Statistics {
  readonly frames: number
  readonly drawCalls: number
  readonly triangles: number
}

/** Opens a viewer with default settings in place of the last one. */
const mount = (page: Page): Promise<void> =>
  page.evaluate(`{
    window.viewer?.dispose()
    window.viewer = mountViewer(document.querySelector('main'))
  }`)

/** Shows another material in the viewer, and waits for its picture. */
async function show(page: Page, material: DrawableMaterial): Promise<void> {
  await page.evaluate(`viewer.update(${JSON.stringify(material)})`)
  await nextFrame(page)
}

const nextFrame = (page: Page): Promise<unknown> =>
  page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')

const readStatistics = (page: Page): Promise<Statistics> => page.evaluate('statistics')

/** Returns the picture of a canvas after the next frame, as PNG. */
async function takePicture(page: Page, canvas: Locator): Promise<Buffer> {
  await nextFrame(page)
  return canvas.screenshot()
}

/** Whether two pictures differ in no color by more than two of its 256 steps. */
const isSamePicture = (page: Page, one: Buffer, other: Buffer): Promise<boolean> =>
  page.evaluate(`(async () => {
    const [first, second] = [await (${readColors(one)}), await (${readColors(other)})]
    return first.every((color, index) => Math.abs(color - second[index]) <= 2)
  })()`)

/** Returns the middle of the pixels in which two pictures differ, as shares of width and height. */
const findChange = (page: Page, one: Buffer, other: Buffer): Promise<[x: number, y: number]> =>
  page.evaluate(`(async () => {
    const [first, second] = [await (${readColors(one)}), await (${readColors(other)})]
    const [width, height] = [${one.readUInt32BE(16)}, ${one.readUInt32BE(20)}]
    const changed = Array.from({ length: width * height }, (_, index) => index).filter((index) =>
      [0, 1, 2].some((color) => first[4 * index + color] !== second[4 * index + color]))
    const mean = (values) => values.reduce((sum, value) => sum + value) / values.length
    return [
      mean(changed.map((index) => index % width)) / width,
      mean(changed.map((index) => Math.floor(index / width))) / height,
    ]
  })()`)

/** Returns the heights of the white letters in a picture of a dark page, in pixels. */
const findLetters = (page: Page, png: Buffer): Promise<number[]> =>
  page.evaluate(`(async () => {
    const colors = await (${readColors(png)})
    const [width, height] = [${png.readUInt32BE(16)}, ${png.readUInt32BE(20)}]
    const white = new Set(Array.from({ length: width * height }, (_, index) => index).filter(
      (index) => [0, 1, 2].every((color) => colors[4 * index + color] > 200)))
    const heights = []
    for (const start of white) {
      white.delete(start)
      const letter = [start]
      for (const index of letter)
        for (const step of [-width - 1, -width, -width + 1, -1, 1, width - 1, width, width + 1])
          if (white.delete(index + step)) letter.push(index + step)
      const rows = letter.map((index) => Math.floor(index / width))
      heights.push(Math.max(...rows) - Math.min(...rows) + 1)
    }
    return heights
  })()`)

/** Returns how many pixels are free on the left, at the top, on the right and at the bottom of a picture. */
const findContent = (page: Page, png: Buffer): Promise<[number, number, number, number]> =>
  page.evaluate(`(async () => {
    const colors = await (${readColors(png)})
    const [width, height] = [${png.readUInt32BE(16)}, ${png.readUInt32BE(20)}]
    const ground = 4 * (20 * width + 20)
    // The corners have the rounded border of the view.
    const isCorner = (index) => Math.abs((index % width) - width / 2) > width / 2 - 12 &&
      Math.abs(index / width - height / 2) > height / 2 - 12
    const drawn = Array.from({ length: width * height }, (_, index) => index).filter((index) => !isCorner(index) &&
      [0, 1, 2].some((color) => Math.abs(colors[4 * index + color] - colors[ground + color]) > 12))
    const [columns, rows] = [drawn.map((index) => index % width), drawn.map((index) => Math.floor(index / width))]
    const least = (values) => values.reduce((one, other) => Math.min(one, other), Infinity)
    return [columns, rows, columns.map((each) => width - 1 - each), rows.map((each) => height - 1 - each)].map(least)
  })()`)

/** Returns the number of different colors in a picture. */
async function countColors(page: Page, picture: Locator | Buffer): Promise<number> {
  const png = Buffer.isBuffer(picture) ? picture : await takePicture(page, picture)
  return page.evaluate(
    `${readColors(png)}.then(({ buffer }) => new Set(new Uint32Array(buffer)).size)`,
  )
}

/** Returns a script that reads a picture: red, green, blue and opacity of each pixel, row by row. */
const readColors = (png: Buffer): string => `(async () => {
  const bytes = Uint8Array.from(atob('${png.toString('base64')}'), (each) => each.charCodeAt(0))
  const bitmap = await createImageBitmap(new Blob([bytes]))
  const canvas = new OffscreenCanvas(bitmap.width, bitmap.height)
  const context = canvas.getContext('2d')
  context.drawImage(bitmap, 0, 0)
  return context.getImageData(0, 0, bitmap.width, bitmap.height).data
})()`
