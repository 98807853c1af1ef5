import { createRequire } from 'node:module'

import type { Basis, Lattice } from '@materials-mock/api'

/** A structure with crystal or Cartesian coordinates. */
export interface NamedStructure {
  readonly name: string
  readonly lattice: Lattice
  readonly basis: Basis
}

/** What we use of a material of `made`. */
interface MadeMaterial {
  readonly scaledHash: string
  readonly Basis: { readonly formula: string; readonly unitCellFormula: string }
  calculateHash(): string
  toCrystal(): void
  toJSON(): NamedStructure
  getAsPOSCAR(isWrittenAnew: boolean): string
}

/** What we use of a schema of `esse`. */
export interface EsseSchema {
  readonly $id: string
}

interface SchemaError {
  readonly instancePath: string
  readonly message?: string
}

/** A validator like Ajv's validators. It fills in defaults. */
export interface EsseValidator {
  (item: unknown): boolean
  readonly errors?: readonly SchemaError[] | null
}

/** The packages are not installed for the type checks of the whole project. */
const require = createRequire(import.meta.url)

const made = {
  Material: require('@mat3ra/made/dist/js/material').Material,
  ReciprocalLattice: require('@mat3ra/made/dist/js/lattice/reciprocal/lattice_reciprocal')
    .ReciprocalLattice,
  parsers: require('@mat3ra/made/dist/js/parsers/parsers').default,
}

/** Returns the names and the coordinates of the path of bands of a lattice. */
export function findMadePath(lattice: Lattice): readonly (readonly [string, readonly number[]])[] {
  const { defaultKpointPath, symmetryPoints } = new made.ReciprocalLattice(lattice)
  return defaultKpointPath.map(({ point }: { point: string }) => [
    point,
    symmetryPoints.find((each: { point: string }) => each.point === point).coordinates,
  ])
}

export const createMadeMaterial = (structure: NamedStructure): MadeMaterial =>
  new made.Material(structure)

/** Reads a POSCAR file with `made`. */
export const readMadePoscar = (text: string): NamedStructure => made.parsers.poscar.fromPoscar(text)

/** Reads a CIF file with `made`, which finds only its ICSD number. */
export const readMadeCif = (text: string): { readonly icsdId?: number } =>
  made.parsers.cif.parseMeta(text)

/** An element of the platform's `periodic-table.js`. The mass is in u. */
export interface PlatformElement {
  readonly atomic_mass: number
  /** On Pauling's scale; empty for an element without one. */
  readonly pauling_negativity: number | ''
}

/** The elements of the platform by their symbols. */
export const PLATFORM_ELEMENTS: Readonly<Record<string, PlatformElement>> =
  require('@exabyte-io/periodic-table.js').PERIODIC_TABLE

const schemas: ReadonlyMap<string, EsseSchema> = new Map(
  require('@mat3ra/esse/dist/js/schemas.json').map((schema: EsseSchema) => [schema.$id, schema]),
)

/** Compiles the schema of `esse` with an id such as `material`. */
export function createEsseValidator(id: string): EsseValidator {
  const schema = schemas.get(id)
  if (schema === undefined) throw new Error(`esse must have a schema ${id}`)
  return require('@mat3ra/esse/dist/js/utils/ajv').getValidator(schema, { clean: false })
}
