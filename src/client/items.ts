// Made by scripts/client-items.ts from the schemas of src/resources. Do not edit.

/** What the items of all documented resources have. */
export interface Entity {
  /** The name. */
  name?: string
  /** The tags. */
  tags: string[]
  /** Any data of users. */
  metadata?: Record<string, unknown>
  /** Whether the item is the default of its owner. */
  isDefault: boolean
  /** Whether the item is a set of items. */
  isEntitySet: boolean
  /** The account that owns the item. */
  owner: Reference
  /** The user who created the item. */
  creator: Reference
  /** The sets that the item is in. */
  inSet: SetMembership[]
  /** The version of the schema of the item. */
  schemaVersion: string
  /** The time of creation, in UTC (ISO 8601). */
  createdAt: string
  /** The _id of the account that created the item. */
  createdBy: string | null
  /** The time of the last change, in UTC (ISO 8601). */
  updatedAt: string
  /** The _id of the account that made the last change. */
  updatedBy: string | null
}

/** A reference to an account or a user. */
export interface Reference {
  /** The _id of the account or the user. */
  _id: string
  /** The name in URLs. */
  slug: string
  /** The type of the reference: Account for an owner, User for a creator. */
  cls: string
}

/** A set that an item is in. */
export interface SetMembership {
  /** The _id of the set. */
  _id: string
  /** Whether the set has an order: ordered or unordered. */
  type?: string
  /** The position in an ordered set, from 0 on. */
  index?: number
}

/** The edges of a cell as Cartesian vectors. */
export interface LatticeVectors {
  /** The edge a in Å. */
  a: number[]
  /** The edge b in Å. */
  b: number[]
  /** The edge c in Å. */
  c: number[]
  /** The factor that multiplies the vectors. */
  alat?: number
  /** The unit of the vectors. */
  units?: string
}

/** The cell of a crystal. */
export interface Lattice {
  /** The Bravais lattice (Setyawan and Curtarolo, doi:10.1016/j.commatsci.2010.05.010). */
  type:
    | 'CUB'
    | 'FCC'
    | 'BCC'
    | 'TET'
    | 'BCT'
    | 'ORC'
    | 'ORCF'
    | 'ORCI'
    | 'ORCC'
    | 'HEX'
    | 'RHL'
    | 'MCL'
    | 'MCLC'
    | 'TRI'
  /** The length of the edge a in Å. */
  a: number
  /** The length of the edge b in Å. */
  b: number
  /** The length of the edge c in Å. */
  c: number
  /** The angle between the edges b and c in degrees. */
  alpha: number
  /** The angle between the edges a and c in degrees. */
  beta: number
  /** The angle between the edges a and b in degrees. */
  gamma: number
  /** The units of the lengths and the angles. */
  units: {
    /** The unit of the lengths. */
    length: string
    /** The unit of the angles. */
    angle: string
  }
  /** The edges as Cartesian vectors in Å, computed by the server. */
  vectors: LatticeVectors
}

/** The atoms of a cell. The entries of its arrays belong together by `id`. */
export interface Basis {
  /** The elements of the atoms. */
  elements: {
    /** The number of the atom within this material. */
    id: number
    /** The symbol of the element. */
    value: string
  }[]
  /** The positions of the atoms, in `units`. */
  coordinates: {
    /** The number of the atom within this material. */
    id: number
    /** The position, in the units of the basis. */
    value: number[]
  }[]
  /** The units of the coordinates: fractions of the edges (crystal, the default) or Å (cartesian). */
  units: 'crystal' | 'cartesian'
  /** The edges along which an atom may move. */
  constraints?: {
    /** The number of the atom within this material. */
    id: number
    /** For each edge, whether the atom may move. */
    value: boolean[]
  }[]
  /** Labels that distinguish atoms of one element, for example by spin direction. */
  labels?: {
    /** The number of the atom within this material. */
    id: number
    /** The label. */
    value: number | string
  }[]
  /** The vectors of the lattice (a, b, c) in Å, computed by the server. */
  cell: number[][] | LatticeVectors
}

/** A property that is computed from a structure. */
export interface DerivedProperty {
  /** The kind of the property, which determines the other fields. */
  name: string
  /** The value, in `units`. */
  value?: number | string
  /** The unit of the value: angstrom^3 of volume, g/cm^3 of density. */
  units?: string
  /** The Hermann-Mauguin symbol. Only for symmetry. */
  spaceGroupSymbol?: string
  /** The Hermann-Mauguin symbol of the point group. Only for symmetry. */
  pointGroupSymbol?: string
  /** The tolerance of the search for the space group. Only for symmetry. */
  tolerance?: {
    /** The tolerance, in `units`. */
    value: number
    /** The unit of the tolerance. */
    units?: string
  }
  /** The symbol of the element. Only for elemental_ratio. */
  element?: string
  /** The degree of the norm. Only for p-norm. */
  degree?: number
}

/** The publication of a structure. */
export interface External {
  /** The identifier at the source. */
  id?: string | number
  /** The database of the structure. */
  source?: string
  /** The DOI of the publication. */
  doi?: string | null
  /** The URL at the source. */
  url?: string
  /** Whether the source is the origin of the structure. */
  origin?: boolean
}

/** A reference of a job to another item. */
export interface JobReference {
  /** The _id of the item. */
  _id: string
  /** The name in URLs. */
  slug?: string
  /** The type of the item. */
  cls?: string
}

/** A status that a job has had. */
export interface JobStatusChange {
  /** The status. */
  status: string
  /** The time in ms since the epoch. */
  trackedAt: number
}

/** A result that a job leaves. */
export interface GivenResult {
  /** The flowchartId or the name of the unit. The default is the unit that has the result. */
  unit?: string
  /** The data of the property. */
  data: {
    /** The name of the property. */
    name: string
    /** Any other field. */
    [field: string]: unknown
  }
}

/** Of the mock alone: how a job ends. */
export interface JobOutcome {
  /** The last status of the job. The default is finished. */
  status?: 'finished' | 'error'
  /** The name or flowchartId of the unit that fails. The default is the last unit that executes a program. */
  unit?: string
  /** The message of the failure, for compute.errors and job.log. */
  message?: string
  /** All results of the job. */
  results?: GivenResult[]
}

/** A material. Unknown fields are valid. */
export interface Material extends Entity {
  /** The identifier, which the server assigns. */
  _id: string
  /** The name. */
  name: string
  /** The reduced formula, computed. Elements are sorted by electronegativity. */
  formula: string
  /** The formula of all atoms of the cell, computed. */
  unitCellFormula: string
  /** The cell: lengths in Å, angles in degrees. */
  lattice: Lattice
  /** The atoms: their elements, and their coordinates in `basis.units`. */
  basis: Basis
  /** The properties that follow from the structure: volume, density, symmetry, ratios of elements, p-norms. */
  derivedProperties: DerivedProperty[]
  /** The hash of the structure, computed. It does not depend on the order of the atoms. */
  hash: string
  /** The hash of the structure with lengths in units of a, computed. */
  scaledHash: string
  /** Identifies the structure, computed. Equal structures share it. */
  exabyteId: string
  /** The publication of the structure. */
  external?: External
  /** Whether the material is a molecule. */
  isNonPeriodic?: boolean
}

/** A workflow. Unknown fields are valid. */
export interface Workflow extends Entity {
  /** The identifier, which the server assigns. */
  _id: string
  /** The name. */
  name: string
  /** The names of the properties that its units compute. */
  properties: (string | Record<string, unknown>)[]
  /** The subworkflows, each with its application, model and units. */
  subworkflows: Record<string, unknown>[]
  /** The units: subworkflows, maps and reduces. */
  units: Record<string, unknown>[]
  /** The workflows that maps run. */
  workflows?: Record<string, unknown>[]
  /** Only in this mock: how the job, or each job of the workflow, ends. */
  outcome?: JobOutcome
}

/** A project. Unknown fields are valid. */
export interface Project extends Entity {
  /** The identifier, which the server assigns. */
  _id: string
  /** The name. */
  name: string
  /** The name in URLs. */
  slug: string
  /** The purpose of the project. */
  description?: string | null
}

/** A job. Unknown fields are valid. */
export interface Job extends Entity {
  /** The identifier, which the server assigns. */
  _id: string
  /** The name. */
  name: string
  /** The name in URLs. */
  slug: string
  /** The status. */
  status:
    | 'pre-submission'
    | 'queued'
    | 'submitted'
    | 'active'
    | 'finished'
    | 'terminate-queued'
    | 'terminated'
    | 'error'
    | 'deleted'
    | 'timeout'
  /** The statuses that the job has had, in order. */
  statusTrack: JobStatusChange[]
  /** The workflow of the job, embedded. */
  workflow: {
    /** Only in this mock: how the job, or each job of the workflow, ends. */
    outcome?: JobOutcome
    /** Any other field. */
    [field: string]: unknown
  } | null
  /** Where and how the job runs. */
  compute: Record<string, unknown>
  /** The project of the job. */
  _project?: JobReference | null
  /** The material of the job. */
  _material?: JobReference | null | 'null'
  /** The materials of the job. */
  _materials?: JobReference[]
  /** Only in this mock: how the job, or each job of the workflow, ends. */
  outcome?: JobOutcome
}

/** A property that a job has computed. Unknown fields are valid. */
export interface Property extends Entity {
  /** The identifier, which the server assigns. */
  _id: string
  /** The name of the property. */
  slug?: string
  /** The method that computed the property. */
  group?: string
  /** The property with its value and units. */
  data: {
    /** The name of the property. */
    name: string
    /** The value, in `units`. */
    value?: unknown
    /** A text; in a workflow, its units. */
    units?: unknown
    /** Any other field. */
    [field: string]: unknown
  }
  /** The source: the job and the unit, in info.jobId and info.unitId. */
  source: Record<string, unknown>
  /** The structures that have the property. */
  exabyteId?: string[]
  /** The precision of the method. */
  precision?: Record<string, unknown>
  /** The number of the repetition of its unit. */
  repetition?: number
  /** The tags that the platform sets. */
  systemTags?: string[]
}

/** The types of items by their resources. */
export interface ItemTypes {
  readonly materials: Material
  readonly workflows: Workflow
  readonly projects: Project
  readonly jobs: Job
  readonly properties: Property
  readonly 'bank-materials': Material
  readonly 'bank-workflows': Workflow
  readonly 'raw-properties': Property
  readonly 'refined-properties': Property
}
