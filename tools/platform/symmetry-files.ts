import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'

import { hall_symbol_entries_from_number, operations_from_number } from '@spglib/moyo-wasm'
import type { MoyoHallSymbolEntry } from '@spglib/moyo-wasm'

import {
  ELEMENTS,
  createRandom,
  dot,
  loadMoyo,
  toCartesian,
  toCellVectors,
} from '@materials-mock/structures'
import type { CellParameters, CellVectors, Structure, Vector } from '@materials-mock/structures'

/** A structure as the judges have it, in crystal coordinates. */
export interface Judged {
  readonly cell: CellVectors
  readonly positions: readonly Vector[]
  readonly numbers: readonly number[]
}

/** A file that we and the judges read. */
export interface StructureFile {
  readonly path: string
  readonly format: 'cif' | 'vasp'
  /** For a CIF file that only names its group: the group's Hall number, and the sites. */
  readonly hall?: number
  readonly sites?: Judged
  /** For a copy without operations: the file that lists them. */
  readonly original?: StructureFile
}

export const toJudged = ({ cell, atoms }: Structure): Judged => ({
  cell: toCellVectors(cell),
  positions: atoms.map(({ coordinate }) => coordinate),
  numbers: atoms.map(({ symbol }) => ELEMENTS.get(symbol)?.number ?? 0),
})

/** Lists the CIF and POSCAR files below a folder. */
export const listFiles = (folder: string): StructureFile[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .flatMap((path): StructureFile[] => {
      if (/\.cif$/i.test(path)) return [{ path, format: 'cif' }]
      return /poscar|contcar|\.vasp$/i.test(basename(path)) ? [{ path, format: 'vasp' }] : []
    })

/** Writes a structure as files of VASP 5 and VASP 4. */
export function writePoscars(folder: string, name: string, structure: Structure): StructureFile[] {
  const symbols = [...new Set(structure.atoms.map(({ symbol }) => symbol))]
  const sorted = symbols.map((each) => structure.atoms.filter(({ symbol }) => symbol === each))
  const start = [symbols.join(' '), '1.0', ...structureEdges(structure)]
  const end = [
    sorted.map(({ length }) => length).join(' '),
    'Direct',
    ...sorted.flat().map(({ coordinate }) => coordinate.map((each) => each.toFixed(9)).join(' ')),
  ]
  return [
    [...start, symbols.join(' '), ...end],
    [...start, ...end],
  ].map((lines, index) => {
    const path = join(folder, `${name}-${index}.vasp`)
    writeFileSync(path, `${lines.join('\n')}\n`)
    return { path, format: 'vasp' }
  })
}

const structureEdges = ({ cell }: Structure): string[] =>
  toCellVectors(cell).map((edge) => edge.join(' '))

/** Writes copies of CIF files without their operations, so that only the name of the group is left. */
export function writeNamedCopies(folder: string, files: readonly StructureFile[]): StructureFile[] {
  return files.flatMap((original, index): StructureFile[] => {
    const { path, format } = original
    const text = readFileSync(path, 'utf8')
    const named = text.replace(/^loop_\s+_symmetry_equiv_pos_as_xyz\s[^_]*?(?=^loop_|^_)/m, '')
    if (format !== 'cif' || named === text || !/_H-M\s+'[A-Z]/.test(text)) return []
    const copy = join(folder, `${index} named ${basename(path)}`)
    writeFileSync(copy, named)
    return [{ path: copy, format, original }]
  })
}

const random = createRandom(11)
const between = (min: number, max: number): number => min + (max - min) * random()

/**
 * Writes a CIF file with two random sites for each setting of each group, which it names in turn by its
 * Hall symbol, its full Hermann-Mauguin symbol, and for the first setting by its number.
 */
export function writeNamedGroups(folder: string): StructureFile[] {
  loadMoyo()
  const settings = Array.from({ length: 230 }, (_, index) =>
    hall_symbol_entries_from_number(index + 1),
  ).flat()
  return settings.map((entry, index): StructureFile => {
    const { number, hall_number: value } = entry
    const operations = operations_from_number(number, { type: 'HallNumber', value }, false)
    const cell = createInvariantCell(operations.map(({ rotation }) => rotation))
    const isFirst = settings.findIndex((other) => other.number === number) === index
    const names = listNames(entry, isFirst)
    // so far from the elements of symmetry that no images are one atom
    const positions: Vector[] = [
      [between(0.05, 0.06), between(0.22, 0.23), between(0.34, 0.35)],
      [between(0.31, 0.32), between(0.05, 0.06), between(0.11, 0.12)],
    ]
    const path = join(folder, `${value}.cif`)
    const lines = [
      `data_${value}`,
      ...Object.entries(cell).map(
        ([name, each]) => `_cell_${name.length === 1 ? 'length' : 'angle'}_${name} ${each}`,
      ),
      names[index % names.length],
      'loop_',
      '_atom_site_type_symbol',
      ...['x', 'y', 'z'].map((axis) => `_atom_site_fract_${axis}`),
      ...positions.map((position, site) => `${['Si', 'O'][site]} ${position.join(' ')}`),
    ]
    writeFileSync(path, `${lines.join('\n')}\n`)
    const sites = { cell: toCellVectors(cell), positions, numbers: [14, 8] }
    return { path, format: 'cif', hall: value, sites }
  })
}

function listNames(entry: MoyoHallSymbolEntry, isFirst: boolean): string[] {
  const [suffix] = /^[12HR]/.exec(entry.setting) ?? []
  return [
    `_space_group_name_Hall '${entry.hall_symbol}'`,
    `_symmetry_space_group_name_H-M '${entry.hm_full}${suffix === undefined ? '' : ` :${suffix}`}'`,
    ...(isFirst ? [`_space_group_IT_number ${entry.number}`] : []),
  ]
}

/** Returns a random cell that rotations leave unchanged: from the mean of its metric tensor under them. */
function createInvariantCell(rotations: readonly (readonly number[])[]): CellParameters {
  const edges = toCellVectors({
    a: between(12, 15),
    b: between(12, 15),
    c: between(12, 15),
    alpha: between(80, 100),
    beta: between(80, 100),
    gamma: between(80, 100),
  })
  const images = rotations.map(([a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0, i = 0]) =>
    [[a, b, c] as const, [d, e, f] as const, [g, h, i] as const].map((column) =>
      toCartesian(column, edges),
    ),
  )
  const mean = (i: number, j: number): number =>
    images.reduce((sum, image) => sum + dot(image[i] as Vector, image[j] as Vector), 0) /
    images.length
  const length = (i: number): number => Math.sqrt(mean(i, i))
  const angle = (i: number, j: number): number =>
    (Math.acos(mean(i, j) / length(i) / length(j)) * 180) / Math.PI
  const [alpha, beta, gamma] = [angle(1, 2), angle(0, 2), angle(0, 1)]
  return { a: length(0), b: length(1), c: length(2), alpha, beta, gamma }
}
