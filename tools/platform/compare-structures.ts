import {
  ELEMENTS,
  choosePath,
  describeStructure,
  nameCorners,
  parseCif,
  parsePoscar,
} from '@materials-mock/structures'
import type { Element } from '@materials-mock/structures'
import { runToEnd } from '@materials-mock/work'
import {
  PLATFORM_ELEMENTS,
  createMadeMaterial,
  findMadePath,
  readMadeCif,
  readMadePoscar,
} from './platform-packages.js'
import type { NamedStructure } from './platform-packages.js'
import { Report } from './report.js'
import {
  createRandomStructures,
  createStructureOfAllElements,
  readShippedStructures,
} from './structures.js'

const report = new Report('structures')

function compareComputed(structure: NamedStructure): void {
  const ours = describeStructure(structure)
  const theirs = createMadeMaterial(structure)
  const { formula, unitCellFormula } = theirs.Basis
  const spaceless = ours.unitCellFormula.replaceAll(' ', '')
  report.compare('hash', structure.name, ours.hash, theirs.calculateHash())
  report.compare('scaledHash', structure.name, ours.scaledHash, theirs.scaledHash)
  report.compare('formula', structure.name, ours.formula, formula)
  report.compare('unitCellFormula', structure.name, spaceless, unitCellFormula)
  const name = 'unitCellFormula, with its spaces'
  report.compare(name, structure.name, ours.unitCellFormula, unitCellFormula)
}

function comparePoscar(name: string, where: string, text: string): void {
  const ours = describeStructure(runToEnd(parsePoscar(text))).hash
  report.compare(name, where, ours, createMadeMaterial(readMadePoscar(text)).calculateHash())
}

/** `made` reads no atoms from a CIF file: compares what we read with the structure that it holds. */
function compareCif(structure: NamedStructure, icsdId: number): void {
  const { labels: _, ...basis } = structure.basis
  const written = createMadeMaterial({ ...structure, basis })
  const hash = written.calculateHash()
  written.toCrystal()
  const text = formatCif(written.toJSON(), icsdId)
  const ours = runToEnd(parseCif(text))
  const read = describeStructure({ lattice: ours.lattice, basis: ours.basis }).hash
  report.compare('CIF', structure.name, read, hash)
  report.compare('icsdId of a CIF', structure.name, ours.icsdId, readMadeCif(text).icsdId)
}

const formatCif = ({ lattice, basis }: NamedStructure, icsdId: number): string =>
  [
    'data_structure',
    `_database_code_ICSD ${icsdId}`,
    ...(['a', 'b', 'c'] as const).map((edge) => `_cell_length_${edge} ${lattice[edge]}`),
    ...(['alpha', 'beta', 'gamma'] as const).map((each) => `_cell_angle_${each} ${lattice[each]}`),
    "_symmetry_space_group_name_H-M 'P 1'",
    'loop_',
    '_atom_site_type_symbol',
    '_atom_site_fract_x',
    '_atom_site_fract_y',
    '_atom_site_fract_z',
    ...(basis.elements ?? []).map(
      ({ value }, index) => `${value} ${basis.coordinates?.[index]?.value.join(' ')}`,
    ),
  ].join('\n')

/** Compares our table of elements. The platform has the masses of single isotopes where we have mass numbers. */
function compareElement({ symbol, mass, electronegativity }: Element): void {
  const theirs = PLATFORM_ELEMENTS[symbol]
  const isClose = Math.abs(mass - Number(theirs?.atomic_mass)) < 0.95
  report.add('mass', isClose ? [] : [`${symbol}: ours ${mass}, theirs ${theirs?.atomic_mass}`])
  const number = Number(theirs?.pauling_negativity)
  report.compare('electronegativity', symbol, electronegativity, number)
}

/** A cell of each lattice whose points are the same in all its cells, and one of a lattice whose points are not. */
const LATTICES = {
  CUB: [1, 1, 1, 90, 90, 90],
  FCC: [1, 1, 1, 60, 60, 60],
  BCC: [1, 1, 1, 109.4712, 109.4712, 109.4712],
  TET: [1, 1, 2, 90, 90, 90],
  ORC: [1, 2, 3, 90, 90, 90],
  HEX: [1, 1, 2, 90, 90, 120],
  TRI: [1, 2, 3, 95, 100, 105],
  RHL: [1, 1, 1, 55, 55, 55],
} as const

/** Compares the path of bands: the coordinates of its points, and their names. */
function comparePath(type: keyof typeof LATTICES): void {
  const [a, b, c, alpha, beta, gamma] = LATTICES[type]
  const lattice = { type, a, b, c, alpha, beta, gamma }
  const path = choosePath(lattice).map(({ coordinates }) => coordinates)
  const theirs = findMadePath(lattice)
  const ours = nameCorners(path).map((name, index) => [name.replace('Γ', 'Г'), path[index]])
  report.compare(type === 'RHL' ? 'path of bands, RHL' : 'path of bands', type, ours, theirs)
}

const CELL = '2 0 0\n0 3 0\n0 0 4'
const ROTATED_CELL = '0 2 0\n0 0 3\n4 0 0'
const ATOMS = (mode: string): string => `Na Cl\n1 1\n${mode}\n0 0 0\n.1 .2 .3\n`

/** Compares hashes, formulas and the reading of files with `made`, on shipped and random structures. */
const structures = [
  ...readShippedStructures(),
  createStructureOfAllElements(),
  ...createRandomStructures(500),
]
for (const [index, structure] of structures.entries()) {
  compareComputed(structure)
  comparePoscar('POSCAR', structure.name, createMadeMaterial(structure).getAsPOSCAR(true))
  compareCif(structure, index + 1)
}
for (const element of ELEMENTS.values()) compareElement(element)
for (const type of Object.keys(LATTICES)) comparePath(type as keyof typeof LATTICES)
comparePoscar('POSCAR', 'rotated', `x\n1.0\n${ROTATED_CELL}\n${ATOMS('Direct')}`)
comparePoscar('POSCAR with a scaling factor', 'scaled', `x\n2.0\n${CELL}\n${ATOMS('Direct')}`)
comparePoscar(
  'POSCAR with rotated edges and Cartesian coordinates',
  'rotated',
  `x\n1.0\n${ROTATED_CELL}\n${ATOMS('Cartesian')}`,
)
report.end()
