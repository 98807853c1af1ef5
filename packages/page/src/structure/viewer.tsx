import type { RefObject, VNode } from 'preact'
import { useLayoutEffect, useMemo, useReducer, useRef, useState } from 'preact/hooks'

import { isDrawable, readCrystal } from '@materials-mock/structures'
import type { BondKind, DrawableMaterial } from '@materials-mock/structures'
import { adjust, dataState } from '../state/navigation.js'
import { theme } from '../state/preferences.js'
import { saveFile } from '../widgets/code-block.js'
import type { Theme } from './colors.js'
import { chooseOrientation, findAxes } from './orientation.js'
import { composePicture, createModel, isTooLarge, listShown, MAX_ATOMS } from './picture.js'
import type { Model, Picture } from './picture.js'
import { DEFAULT_SETTINGS, formatSettings, parseSettings } from './settings.js'
import type { UnitCell, ViewerSettings } from './settings.js'
import { StructureView } from './structure-view.js'
import { describePicture, Legend, Toolbar } from './viewer-panel.js'

const HELP =
  'Drag or use the arrow keys to turn, Shift and drag to move, the wheel or + and − to enlarge, 0 to reset.'

const NO_WEBGL =
  'This browser cannot draw in 3D: WebGL 2 is missing or switched off. The tables show the structure.'

/** Returns the name of a kind of bonds in the address. */
const nameKind = ({ symbols }: BondKind): string => symbols.join('-')

/** The time from the last movement until the address has the pose: a browser limits its changes. */
const POSE_PAUSE = 250

interface ViewerProps {
  readonly material: DrawableMaterial
  /** Which cell of the material it is; undefined if no other is known. */
  readonly unitCell?: UnitCell | undefined
}

/** A structure in 3D, with its controls and a legend. The address has its settings. */
export function Viewer({ material, unitCell }: ViewerProps): VNode {
  const { structure: chosen, bonds } = dataState.value
  const wanted = useMemo(() => parseSettings(chosen), [chosen])
  const switchedBonds = bonds.split(',').filter(Boolean)
  const { lattice, basis, isNonPeriodic } = material
  const structure = JSON.stringify([lattice, basis, isNonPeriodic])
  const model = useMemo(() => readModel(material), [structure])
  const isFitting = typeof model === 'string' || !isTooLarge(model, wanted.supercell)
  const settings = isFitting ? wanted : { ...wanted, supercell: DEFAULT_SETTINGS.supercell }
  const [refused, refuse] = useState<{ readonly cells: string }>()
  useLayoutEffect(() => refuse(undefined), [model, wanted])
  const canvas = useRef<HTMLCanvasElement>(null)
  const view = useView(canvas)
  useOrientation(view, model)
  const content = useMemo(() => {
    if (typeof model === 'string') return undefined
    const kinds = model.bondKinds.filter(
      (kind) => kind.isDrawn !== switchedBonds.includes(nameKind(kind)),
    )
    const drawn = settings.bonds ? kinds : []
    return { model, kinds, picture: composePicture(model, settings.supercell, drawn) }
  }, [model, settings.bonds, settings.supercell.join(), bonds])
  useDrawing(view, canvas, content, settings)
  const message = typeof model === 'string' ? model : view === null ? NO_WEBGL : undefined
  const status = content
    ? describePicture(content.model, content.picture, settings)
    : 'No structure'
  return (
    <div class="viewer">
      <div class="viewer-stage">
        <canvas
          class="viewer-canvas"
          tabIndex={0}
          role="application"
          aria-roledescription="3D view"
          aria-label={`Structure, ${status}. ${HELP}`}
          hidden={message !== undefined}
          ref={canvas}
        />
        {message !== undefined && (
          <p class="viewer-message muted" role="alert">
            {message}
          </p>
        )}
      </div>
      {message === undefined && content !== undefined && (
        <Toolbar
          settings={settings}
          isPeriodic={content.model.crystal.isPeriodic}
          unitCell={unitCell}
          onChange={(change) => {
            const next = { ...settings, ...change }
            if (isTooLarge(content.model, next.supercell))
              refuse({ cells: next.supercell.join(' × ') })
            else adjust({ structure: formatSettings(next) })
          }}
          onReset={() => view?.reset()}
          onDownload={() => void view?.toPng().then((png) => png && saveFile(png, 'structure.png'))}
        />
      )}
      <p class="viewer-status" role="status">
        {refused &&
          `At most ${MAX_ATOMS} atoms are drawn, so ${refused.cells} cells are too many. `}
        {status}
      </p>
      {content !== undefined && (
        <Legend
          model={content.model}
          picture={content.picture}
          drawn={content.kinds}
          onSwitch={(kind) => {
            const name = nameKind(kind)
            const others = switchedBonds.filter((each) => each !== name)
            const isNew = others.length === switchedBonds.length
            adjust({ bonds: (isNew ? [...others, name] : others).join() })
          }}
        />
      )}
      {message === undefined && <small>{HELP}</small>}
    </div>
  )
}

/** Returns the model of a material, or the reason why it can't be drawn. */
function readModel(material: DrawableMaterial): Model | string {
  const crystal = readCrystal(material)
  if (!isDrawable(crystal)) return crystal.reason
  const { length } = crystal.sites
  return length > MAX_ATOMS
    ? `This material has ${length} atoms; at most ${MAX_ATOMS} are drawn`
    : createModel(crystal)
}

type Canvas = RefObject<HTMLCanvasElement | null>

/** Returns the view on a canvas; null without WebGL, and undefined before the canvas is in the page. */
function useView(canvas: Canvas): StructureView | null | undefined {
  const [view, setView] = useState<StructureView | null>()
  useLayoutEffect(() => {
    if (canvas.current === null) return undefined
    const made = StructureView.create(canvas.current)
    setView(made ?? null)
    if (made === undefined) return undefined
    const resizes = new ResizeObserver(() => made.requestFrame())
    resizes.observe(canvas.current)
    let timer: number | undefined
    made.onMove = () => {
      clearTimeout(timer)
      timer = window.setTimeout(() => adjust({ pose: made.formatPose() }), POSE_PAUSE)
    }
    return () => {
      clearTimeout(timer)
      resizes.disconnect()
      made.dispose()
    }
  }, [])
  return view
}

/** Turns each structure to its first orientation, and the first structure to the pose of the address. */
function useOrientation(view: StructureView | null | undefined, model: Model | string): void {
  const isFirst = useRef(true)
  useLayoutEffect(() => {
    if (!view || typeof model === 'string') return
    view.orient(chooseOrientation(model.crystal))
    if (isFirst.current) view.parsePose(dataState.value.pose)
    else view.reset()
    isFirst.current = false
  }, [view, model])
}

/** Draws a picture in the colours of the page, and again if they or the WebGL context change. */
function useDrawing(
  view: StructureView | null | undefined,
  canvas: Canvas,
  content: { readonly model: Model; readonly picture: Picture } | undefined,
  { labels, axes, cell, parallel }: ViewerSettings,
): void {
  const [redraws, redraw] = useReducer((count: number) => count + 1, 0)
  useLayoutEffect(() => {
    const end = new AbortController()
    const onChange = (): void => redraw(undefined)
    const { signal } = end
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', onChange, { signal })
    canvas.current?.addEventListener('webglcontextrestored', onChange, { signal })
    return () => end.abort()
  }, [])
  useLayoutEffect(() => {
    if (!view || content === undefined || canvas.current === null) return
    const { picture } = content
    const { crystal } = content.model
    view.show(
      {
        sites: crystal.sites,
        picture,
        hasLabels: labels,
        hasEdges: cell,
        theme: readTheme(canvas.current),
      },
      { shown: listShown(crystal.sites, picture), orientation: chooseOrientation(crystal) },
      axes ? findAxes(crystal) : undefined,
      parallel,
    )
  }, [view, content, labels, axes, cell, parallel, theme.value, redraws])
}

/** Returns the colours that the style sheet gives a canvas. */
function readTheme(canvas: HTMLCanvasElement): Theme {
  const { color, backgroundColor } = getComputedStyle(canvas)
  return { lineColor: color, background: backgroundColor }
}
