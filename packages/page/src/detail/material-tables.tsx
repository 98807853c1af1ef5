import type { VNode } from 'preact'
import { useRef } from 'preact/hooks'

import type { Symmetry } from '@materials-mock/api'
import { findObjects, isJsonArray, toObject } from '@materials-mock/json'
import type { Json, JsonObject } from '@materials-mock/json'
import type { Item } from '../api/item.js'
import { callControl } from '../http/call-control.js'
import { useLoad } from '../state/hooks.js'
import type { Loaded } from '../state/hooks.js'
import { adjust, dataState } from '../state/navigation.js'
import { parseSettings } from '../structure/settings.js'
import type { UnitCell } from '../structure/settings.js'
import { formatUnits, formatValue } from '../table/format-value.js'
import { formatLengths } from '../table/listed-material.js'
import { Fact, JobsOf } from '../table/item-facts.js'
import { Table } from '../widgets/table.js'
import { Notice } from '../widgets/toasts.js'

/** A material as a picture and tables, all of the cell that is drawn. What loads is shown at once, so that nothing moves. */
export function MaterialTables({ item }: { readonly item: Item }): VNode {
  const { data: symmetry, isLoading } = useSymmetry(item)
  const { data: viewer, error } = useLoad(() => import('../structure/viewer.js'), [])
  const { cell, unitCell } = chooseCell(item, symmetry ?? {})
  const isGiven = unitCell === 'given'
  const { data: ofCell, isLoading: isCellLoading } = useSymmetry(isGiven ? {} : cell)
  const isKnown = !isLoading && (isGiven || !isCellLoading)
  const isReady = useRef(false)
  isReady.current ||= isKnown && (viewer !== undefined || error !== undefined)
  if (!isReady.current) return <div class="viewer-canvas" aria-busy="true" />
  return (
    <div class="item-tables">
      <MaterialSummary item={cell} symmetry={symmetry ?? {}} />
      {viewer === undefined ? (
        <Notice kind="error">{`The viewer could not be loaded: ${error?.message}`}</Notice>
      ) : (
        <viewer.Viewer
          material={cell}
          unitCell={symmetry?.number === undefined ? undefined : unitCell}
        />
      )}
      <LatticeTable item={cell} />
      <BasisTable item={cell} sites={(isGiven ? symmetry : ofCell)?.sites} />
      <DerivedTable item={cell} />
      <JobsOf query={{ '_material._id': item._id ?? '' }} />
    </div>
  )
}

interface MaterialSummaryProps {
  readonly item: Item
  readonly symmetry: Partial<Symmetry>
}

/** The most important facts of a material, in one line. */
function MaterialSummary({ item, symmetry }: MaterialSummaryProps): VNode {
  const { type } = toObject(item.lattice)
  const find = (name: string): JsonObject | undefined =>
    findObjects(item, 'derivedProperties').find((each) => each.name === name)
  const { spaceGroupSymbol, pointGroupSymbol } = { ...symmetry, ...find('symmetry') }
  return (
    <dl class="summary numbers" aria-label="The material in short">
      <Fact name="Lattice Å">
        {type} {formatLengths(item)}
      </Fact>
      <Fact name="Space group">
        {formatValue(spaceGroupSymbol)}{' '}
        {spaceGroupSymbol === symmetry.spaceGroupSymbol && <small>{symmetry.number}</small>}
      </Fact>
      <Fact name="Point group">{formatValue(pointGroupSymbol)}</Fact>
      <Fact name="Density g/cm³">{formatFixed(find('density')?.value, 3)}</Fact>
    </dl>
  )
}

const VECTORS = ['a', 'b', 'c'] as const

/** The lengths (Å) and angles (degrees) of a lattice, and its vectors (Å). */
function LatticeTable({ item }: { readonly item: Item }): VNode {
  const lattice = toObject(item.lattice)
  const vectors = toObject(lattice.vectors)
  return (
    <section>
      <h3>Lattice {typeof lattice.type === 'string' && <small>{lattice.type}</small>}</h3>
      <Table
        class="numbers-table"
        heads={[
          { title: '' },
          { title: 'Length', unit: 'Å' },
          { title: 'Angle', unit: '°' },
          { title: 'Vector', unit: 'Å', span: 3 },
        ]}
        rows={VECTORS.map((name, index) => [
          `${name}, ${['α', 'β', 'γ'][index]}`,
          formatFixed(lattice[name], 4),
          formatFixed(lattice[['alpha', 'beta', 'gamma'][index]!], 3),
          ...[0, 1, 2].map((axis) => formatFixed((vectors[name] as Json[] | undefined)?.[axis], 4)),
        ])}
      />
    </section>
  )
}

/** Formats a number with fixed digits; any other value stays unchanged. */
const formatFixed = (value: Json | undefined, digits: number): string =>
  typeof value === 'number' ? value.toFixed(digits).replace(/^-(?=[0.]+$)/, '') : formatValue(value)

/** The number of atoms that are shown at first. */
const FIRST_ATOMS = 24

const SITE_HEADS = ['Wyckoff', 'Site symmetry']

interface Atom {
  readonly id: Json | undefined
  readonly element: Json | undefined
  readonly coordinate: readonly Json[]
}

interface BasisTableProps {
  readonly item: Item
  readonly sites: Symmetry['sites'] | undefined
}

/** The atoms of a basis with their coordinates. */
function BasisTable({ item, sites }: BasisTableProps): VNode {
  const basis = toObject(item.basis)
  const atoms = listAtoms(basis)
  const shown = dataState.value.atoms === 'all' ? atoms : atoms.slice(0, FIRST_ATOMS)
  return (
    <section>
      <h3>Basis {typeof basis.units === 'string' && <small>{basis.units} coordinates</small>}</h3>
      <Table
        class="numbers-table"
        heads={['Atom', 'x', 'y', 'z', ...(sites ? SITE_HEADS : [])].map((title) => ({ title }))}
        rows={shown.map(({ id, element, coordinate }, index) => [
          <>
            {formatValue(element)} <small>{formatValue(id)}</small>
          </>,
          ...[0, 1, 2].map((axis) => formatFixed(coordinate[axis], 5)),
          ...(sites ? [sites[index]?.wyckoff, sites[index]?.siteSymmetry] : []),
        ])}
      />
      {shown.length < atoms.length && (
        <button type="button" class="small" onClick={() => adjust({ atoms: 'all' })}>
          Show all {atoms.length} atoms
        </button>
      )}
    </section>
  )
}

function listAtoms(basis: JsonObject): Atom[] {
  const places = new Map(
    findObjects(basis, 'coordinates').map(({ id, value }) => [id, value] as const),
  )
  return findObjects(basis, 'elements').map(({ id, value }) => {
    const place = places.get(id)
    return { id, element: value, coordinate: isJsonArray(place) ? place : [] }
  })
}

function DerivedTable({ item }: { readonly item: Item }): VNode | null {
  const properties = findObjects(item, 'derivedProperties')
  if (properties.length === 0) return null
  return (
    <section>
      <h3>Derived properties</h3>
      <Table
        rows={properties.map((property) => [
          describeName(property),
          <>
            {formatValue(property.value ?? property.spaceGroupSymbol)}{' '}
            <small>{formatUnits(property.units)}</small>
          </>,
        ])}
      />
    </section>
  )
}

function describeName({ name, element, degree }: JsonObject): string {
  const which = element ?? degree
  const words = formatValue(name).replaceAll('_', ' ')
  return which === undefined ? words : `${words} ${formatValue(which)}`
}

/**
 * Asks the server for the symmetry of a material. It has none as a molecule, with too many atoms, and with an
 * impossible structure.
 */
function useSymmetry({ lattice, basis, isNonPeriodic }: Item): Loaded<Partial<Symmetry>> {
  const structure = JSON.stringify({ lattice, basis })
  return useLoad(
    async (signal): Promise<Partial<Symmetry>> => {
      if (isNonPeriodic === true || lattice === undefined || basis === undefined) return {}
      return callControl('POST /symmetry', { body: structure, signal })
    },
    [structure, isNonPeriodic],
    structure,
  )
}

const countAtoms = ({ basis }: JsonObject): number => findObjects(basis, 'elements').length

/**
 * Returns a material with the cell that the address says, and which cell it is. Without a choice, a material that is
 * given by the primitive cell of a centred lattice has its conventional cell.
 */
function chooseCell(
  item: Item,
  { primitive, conventional }: Partial<Symmetry>,
): { readonly cell: Item; readonly unitCell: UnitCell } {
  const { unitCell: chosen } = parseSettings(dataState.value.structure)
  const standard = {
    primitive: toObject({ ...primitive }),
    conventional: toObject({ ...conventional }),
  }
  const counts = [item, standard.primitive, standard.conventional].map(countAtoms)
  const isPrimitive = counts[0] === counts[1] && (counts[2] ?? 0) > (counts[1] ?? 0)
  const unitCell = chosen !== 'usual' ? chosen : isPrimitive ? 'conventional' : 'given'
  if (unitCell === 'given' || conventional === undefined) return { cell: item, unitCell: 'given' }
  const { basis, lattice } = standard[unitCell]
  const { type = null } = toObject(item.lattice)
  const cell = { ...item, basis, lattice: { type, ...toObject(lattice) } } as Item
  // Of what is derived, the volume is the only one that grows with the cell.
  const share = countAtoms(cell) / (counts[0] || 1)
  const derivedProperties = findObjects(item, 'derivedProperties').map((each) =>
    each.name === 'volume' && typeof each.value === 'number'
      ? { ...each, value: each.value * share }
      : each,
  )
  return { cell: { ...cell, derivedProperties }, unitCell }
}
