import type { VNode } from 'preact'

import { ELEMENTS, findCovalentRadius } from '@materials-mock/structures'
import type { BondKind } from '@materials-mock/structures'
import type { Supercell } from './supercell.js'
import { findElementColor } from './colors.js'
import type { Model, Picture } from './picture.js'
import { REPEATS, UNIT_CELLS } from './settings.js'
import type { UnitCell, ViewerSettings } from './settings.js'

interface ToolbarProps {
  readonly settings: ViewerSettings
  /** A molecule has no cell to repeat. */
  readonly isPeriodic: boolean
  /** The cell that is drawn; undefined if no other is known. */
  readonly unitCell: UnitCell | undefined
  readonly onChange: (change: Partial<ViewerSettings>) => void
  readonly onReset: () => void
  readonly onDownload: () => void
}

const SWITCHES = [
  ['bonds', 'Bonds'],
  ['labels', 'Labels'],
  ['axes', 'Axes'],
  ['cell', 'Edges'],
  ['parallel', 'Parallel'],
] as const

/** The controls of a viewer. */
export function Toolbar(props: ToolbarProps): VNode {
  const { settings, isPeriodic, unitCell, onChange, onReset, onDownload } = props
  return (
    <div class="viewer-toolbar button-line" role="group" aria-label="View">
      <label>
        Cell
        <select
          aria-label="Drawn cell"
          value={unitCell ?? 'given'}
          disabled={unitCell === undefined}
          onChange={({ currentTarget }) => onChange({ unitCell: currentTarget.value as UnitCell })}
        >
          {UNIT_CELLS.slice(1).map((each) => (
            <option key={each} value={each}>
              {each === 'given' ? 'as given' : each}
            </option>
          ))}
        </select>
      </label>
      <fieldset class="viewer-supercell" disabled={!isPeriodic}>
        <legend>Supercell</legend>
        {settings.supercell.map((count, axis) => (
          <>
            {axis > 0 && '×'}
            <select
              aria-label={`Cells along ${['a', 'b', 'c'][axis]}`}
              value={String(count)}
              onChange={({ currentTarget }) => {
                const next = settings.supercell.with(axis, Number(currentTarget.value))
                onChange({ supercell: next as unknown as Supercell })
              }}
            >
              {REPEATS.map((each) => (
                <option key={each}>{each}</option>
              ))}
            </select>
          </>
        ))}
      </fieldset>
      {SWITCHES.map(([name, label]) => (
        <label key={name}>
          <input
            type="checkbox"
            checked={settings[name]}
            disabled={name === 'cell' && !isPeriodic}
            onChange={({ currentTarget }) => onChange({ [name]: currentTarget.checked })}
          />
          {label}
        </label>
      ))}
      <div class="button-line">
        <button type="button" class="small" onClick={onReset}>
          Reset view
        </button>
        <button type="button" class="small" onClick={onDownload}>
          Download PNG
        </button>
      </div>
    </div>
  )
}

/** The names of the types of bonds in the legend. */
const NATURES = {
  covalent: 'covalent',
  ionic: 'ionic, not covalent',
  metallic: 'metallic, not covalent',
} as const

const RULE =
  'Atoms up to 1.2 times the sum of their covalent radii apart (Cordero 2008) are joined. ' +
  'The rule uses only distances: contacts of ions and of metals are not covalent bonds.'

const CUT = 'Pale ends lead to atoms beyond the border, in the colour of their own atom.'

interface LegendProps {
  readonly model: Model
  readonly picture: Picture
  readonly drawn: readonly BondKind[]
  /** Draws a kind of bonds that is left out, or leaves it out. */
  readonly onSwitch: (kind: BondKind) => void
}

/** Elements with colours, radii and numbers; kinds of bonds, each with a switch. */
export function Legend({ model, picture, drawn, onSwitch }: LegendProps): VNode {
  const { crystal, bondKinds } = model
  const counts = new Map<string, number>()
  for (const { symbol } of crystal.sites) counts.set(symbol, (counts.get(symbol) ?? 0) + 1)
  return (
    <div class="viewer-legend">
      <ul aria-label="Elements">
        {[...counts].map(([symbol, count]) => (
          <li key={symbol}>
            <span
              class="viewer-swatch"
              aria-hidden="true"
              style={{ backgroundColor: findElementColor(symbol) }}
            />
            <b>{symbol}</b>
            <span class="muted">
              {formatCount(count, 'atom')}, {describeRadius(symbol)}
            </span>
          </li>
        ))}
      </ul>
      <ul aria-label="Kinds of bonds">
        {bondKinds.map((kind) => (
          <li key={kind.symbols.join()}>
            <label>
              <input
                type="checkbox"
                checked={drawn.includes(kind)}
                onChange={() => onSwitch(kind)}
              />
              <b>{kind.symbols.join('–')}</b>
              <span class="muted">
                {formatCount(kind.bonds.length, 'bond')}, {formatLengths(kind.lengths)},{' '}
                {NATURES[kind.nature]}
              </span>
            </label>
          </li>
        ))}
      </ul>
      {bondKinds.length > 0 && (
        <small>
          {RULE} {picture.halfBonds.some(({ isCut }) => isCut) && CUT}
        </small>
      )}
    </div>
  )
}

const describeRadius = (symbol: string): string =>
  ELEMENTS.has(symbol) ? `radius ${findCovalentRadius(symbol).toFixed(2)} Å` : 'unknown element'

function formatLengths([shortest, longest]: readonly [number, number]): string {
  const [low, high] = [shortest.toFixed(2), longest.toFixed(2)]
  return low === high ? `${low} Å` : `${low} to ${high} Å`
}

/** Returns the numbers of atoms and bonds in words: `8 atoms, 16 bonds`. */
export function describePicture(
  { crystal, hasAllBonds }: Model,
  { atomCount, bondCount }: Picture,
  { supercell, bonds }: ViewerSettings,
): string {
  const counts = [formatCount(atomCount, 'atom')]
  counts.push(bonds ? formatCount(bondCount, 'bond') : 'bonds not shown')
  if (!hasAllBonds) counts.push('too many neighbours to find all bonds')
  const isRepeated = crystal.isPeriodic && supercell.some((count) => count > 1)
  return counts.join(', ') + (isRepeated ? ` in ${supercell.join(' × ')} cells` : '')
}

const formatCount = (count: number, noun: string): string =>
  `${count} ${noun}${count === 1 ? '' : 's'}`
