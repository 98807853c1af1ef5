import type { BondKind } from '../../domain/materials/geometry/bonds.js'
import { isDrawable, readCrystal } from '../../domain/materials/geometry/crystal.js'
import type { Crystal, DrawableMaterial } from '../../domain/materials/geometry/crystal.js'
import { saveFile } from '../widgets/code-block.js'
import { readTheme } from './colors.js'
import { findCorners } from './extent.js'
import { findBounds } from './find-bounds.js'
import { chooseOrientation, findAxes } from './orientation.js'
import {
  createElement,
  createLegend,
  createStage,
  createToolbar,
  describePicture,
} from './panel.js'
import { composePicture, createModel, isTooLarge, MAX_ATOMS } from './picture.js'
import type { Model } from './picture.js'
import { DEFAULT_SETTINGS } from './settings.js'
import type { ViewerOptions, ViewerSettings } from './settings.js'
import { StructureView } from './view/structure-view.js'
import type { FrameStatistics } from './view/structure-view.js'
import { addTurnControls } from './view/turn-controls.js'

const NO_WEBGL =
  'This browser cannot draw in 3D: WebGL 2 is missing or switched off. The tables show the structure.'

/** Returns the name of a kind of bonds in the address. */
const nameKind = ({ symbols }: BondKind): string => symbols.join('-')

/** The time from the last movement until `onPose` is called, in ms. */
const POSE_PAUSE = 250

/** A viewer: a structure, its settings, and the elements that show it. */
export class StructureViewer {
  readonly #toolbar = createToolbar({
    change: (change) => this.#change(change),
    reset: () => this.#view?.reset(),
    download: () => void this.#download(),
  })
  readonly #stage = createStage(this.#toolbar.element)
  readonly #view = StructureView.create(this.#stage.canvas)
  readonly #resizes = new ResizeObserver(() => this.#view?.requestFrame())
  readonly #end = new AbortController()
  readonly #options: ViewerOptions
  #poseTimer = 0
  #shown = ''
  #settings: ViewerSettings
  #model: Model | undefined
  #switchedBonds: readonly string[]

  constructor(options: ViewerOptions) {
    this.#settings = { ...DEFAULT_SETTINGS, ...options.settings }
    this.#switchedBonds = options.switchedBonds ?? []
    this.#options = options
    this.#view?.watchMoves(() => this.#tellPose())
    const { canvas } = this.#stage
    if (this.#view !== undefined) addTurnControls(canvas, this.#view)
    this.#resizes.observe(canvas)
    const { signal } = this.#end
    const redraw = (): void => this.#redraw()
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', redraw, { signal })
    addEventListener('theme', redraw, { signal })
    canvas.addEventListener('webglcontextrestored', redraw, { signal })
  }

  get element(): HTMLElement {
    return this.#stage.element
  }

  /** Shows another material. The same structure stays as the reader has turned it. */
  update(material: DrawableMaterial): void {
    const { lattice, basis, isNonPeriodic } = material
    const isFirst = this.#shown === ''
    const text = JSON.stringify([lattice, basis, isNonPeriodic])
    if (text === this.#shown) return
    this.#shown = text
    const crystal = readCrystal(material)
    if (!isDrawable(crystal)) {
      this.#refuse(crystal.reason)
    } else if (crystal.sites.length > MAX_ATOMS) {
      this.#refuse(
        `This material has ${crystal.sites.length} atoms; at most ${MAX_ATOMS} are drawn`,
      )
    } else {
      this.#open(crystal)
      if (isFirst) this.#view?.pose.parse(this.#options.pose ?? '')
    }
  }

  /** Removes the viewer, and frees its resources. */
  dispose(): void {
    clearTimeout(this.#poseTimer)
    this.#end.abort()
    this.#resizes.disconnect()
    this.#view?.dispose()
    this.element.remove()
  }

  readStatistics(): FrameStatistics | undefined {
    return this.#view?.statistics
  }

  #refuse(reason: string): void {
    this.#model = undefined
    this.#stage.showMessage(reason)
    this.#stage.showStatus('No structure', 0, 0)
    this.#stage.showLegend(createElement('div'))
  }

  #open(crystal: Crystal): void {
    const model = createModel(crystal)
    this.#model = model
    if (isTooLarge(model, this.#settings.supercell))
      this.#settings = { ...this.#settings, supercell: DEFAULT_SETTINGS.supercell }
    this.#stage.showMessage(this.#view === undefined ? NO_WEBGL : undefined)
    this.#stage.showLegend(
      createLegend(model, this.#findKinds(model), (kind) => this.#switch(kind)),
    )
    this.#redraw()
    this.#view?.orient(chooseOrientation(crystal))
  }

  /** Returns the kinds of bonds that are drawn: the usual kinds, changed by the switches. */
  #findKinds({ bondKinds }: Model): BondKind[] {
    return bondKinds.filter((kind) => kind.isDrawn !== this.#switchedBonds.includes(nameKind(kind)))
  }

  #switch(kind: BondKind): void {
    const name = nameKind(kind)
    const others = this.#switchedBonds.filter((each) => each !== name)
    const isNew = others.length === this.#switchedBonds.length
    this.#switchedBonds = isNew ? [...others, name] : others
    this.#redraw()
    this.#options.onSwitchBonds?.(this.#switchedBonds)
  }

  #change(change: Partial<ViewerSettings>): void {
    const settings = { ...this.#settings, ...change }
    if (this.#model !== undefined && isTooLarge(this.#model, settings.supercell)) {
      const cells = settings.supercell.join(' × ')
      this.#redraw(`At most ${MAX_ATOMS} atoms are drawn, so ${cells} cells are too many. `)
      return
    }
    this.#settings = settings
    this.#redraw()
    this.#options.onChange?.(settings)
  }

  /** Calls `onPose` after a pause, because a browser limits how often an address may change. */
  #tellPose(): void {
    clearTimeout(this.#poseTimer)
    const tell = (): void => this.#options.onPose?.(this.#view?.pose.format() ?? '')
    this.#poseTimer = setTimeout(tell, POSE_PAUSE)
  }

  /** @param notice the text before the numbers of atoms and bonds */
  #redraw(notice = ''): void {
    const model = this.#model
    if (model === undefined) return
    const { crystal } = model
    const settings = this.#settings
    const picture = composePicture(
      model,
      settings.supercell,
      settings.bonds ? this.#findKinds(model) : [],
    )
    this.#toolbar.show(settings, crystal.isPeriodic)
    const text = describePicture(model, picture, settings)
    this.#stage.showStatus(notice + text, picture.atomCount, picture.bondCount)
    const shown = picture.atoms.map(({ position }) => position)
    if (crystal.isPeriodic) shown.push(...findCorners(crystal, settings.supercell))
    const bounds = findBounds(shown, picture.edges.flat(), chooseOrientation(crystal))
    const content = {
      sites: crystal.sites,
      picture,
      hasLabels: settings.labels,
      hasEdges: settings.cell,
      theme: readTheme(this.#stage.canvas),
    }
    const axes = settings.axes ? findAxes(crystal) : undefined
    this.#view?.show(content, bounds, axes, settings.projection)
  }

  async #download(): Promise<void> {
    const blob = await this.#view?.toPng()
    if (blob) saveFile(blob, 'structure.png')
  }
}
