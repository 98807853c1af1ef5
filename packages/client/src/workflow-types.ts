/** The state of a unit. */
export type UnitStatus =
  'idle' | 'active' | 'warning' | 'finished' | 'error' | 'terminated' | 'timeout'

/** A status that a unit has had. */
export interface UnitStatusChange {
  status: UnitStatus
  /** The time in s since the epoch. Those of jobs are in ms. */
  trackedAt: number
  /** The number of the run of a unit that runs several times, from 0 on. */
  repetition?: number
}

/** The program of a subworkflow or a unit. */
export interface Application {
  /** Its name, such as `espresso`. */
  name: string
  shortName?: string
  summary?: string
  version?: string
  build?: string
}

/** The model of a subworkflow, such as density functional theory. */
export interface Model {
  /** The model, such as `dft`. */
  type?: string
  /** The approximation, such as `gga`. */
  subtype?: string | NamedSlug
  /** The functional, such as `pbe`. */
  functional?: string | NamedSlug
  method?: { type?: string; subtype?: string; data?: Record<string, unknown> }
}

/** A value with its name in identifiers. */
export interface NamedSlug {
  name?: string
  slug?: string
}

/** An input file of a unit. */
export interface UnitInput {
  /** The name of the file. */
  name?: string
  /** The template of its text. */
  content?: string
  /** The text of the file. */
  rendered?: string
  /** The flowchartId of the unit from which the value comes. */
  scope?: string
}

/** A step of a workflow (the platform's schema `workflow/unit`). Its `type` tells which fields it has. */
export interface Unit {
  /** The identifier of the subworkflow of a unit of type subworkflow. */
  _id?: string
  /** Such as `execution`, `assignment`, `condition` or `subworkflow`. */
  type: string
  name?: string
  /** Identifies the unit in its workflow. */
  flowchartId: string
  /** Whether the unit is the first one. */
  head?: boolean
  /** The flowchartId of the next unit. The last unit has none. */
  next?: string
  /** The status (default: idle). */
  status?: UnitStatus
  /** The statuses that the unit has had, in order. */
  statusTrack?: UnitStatusChange[]
  /** The properties that the unit computes. */
  results?: (string | { name: string })[]
  monitors?: (string | { name: string })[]
  preProcessors?: (string | { name: string })[]
  postProcessors?: (string | { name: string })[]
  tags?: string[]
  /** The program. Only of an execution. */
  application?: Application
  executable?: { name: string }
  flavor?: { name: string }
  /** The input files of an execution, or the variables of an assignment or a condition. */
  input?: UnitInput[]
  /** Values for the templates of inputs, such as the k-points. */
  context?: Record<string, unknown>
  /** The name of the variable. Only of an assignment. */
  operand?: string
  /** The expression of an assignment. */
  value?: string | number | boolean
  /** The expression of a condition or an assertion. */
  statement?: string
  /** The flowchartId of the next unit if the condition holds. */
  then?: string
  /** The flowchartId of the next unit if it does not. */
  else?: string
  /** The most runs of a condition. */
  maxOccurrences?: number
}

/** A part of a workflow that has one program and one model. */
export interface Subworkflow {
  _id?: string
  name?: string
  application?: Application
  model?: Model
  /** The names of the properties that its units compute. */
  properties?: string[]
  /** The units, in their order. */
  units: Unit[]
}

/** Where and how a job runs. */
export interface Compute {
  /** The processors of a node. */
  ppn?: number
  nodes?: number
  queue?: string
  /** Such as `01:00:00`. */
  timeLimit?: string
  timeLimitType?: string
  /** When the user gets a mail: a, b, e for aborted, begun, ended; n for never. */
  notify?: string
  cluster?: {
    /** The name of the host. */
    fqdn?: string
    /** The identifier of the job at the cluster. */
    jid?: string
  }
  isRestartable?: boolean
  arguments?: Record<string, unknown>
  /** Why the job has failed. */
  errors?: { domain?: string; reason?: string; message?: string }[]
}
