// Items
export {
  ENTITY_FIELDS,
  Reference,
  SetMembership,
  SetType,
  isAlwaysThere,
  touch,
} from './items/entity-fields.js'
export { DerivedProperty, External, Material } from './items/material.js'
export { Basis, Lattice, LatticeVectors } from './items/structure.js'
export { StandardCell, Symmetry } from './items/symmetry.js'
export {
  GivenResult,
  JOB_STATUSES,
  Job,
  JobOutcome,
  JobReference,
  JobStatusChange,
  findOutcome,
} from './items/job.js'
export type { JobStatus } from './items/job.js'
export {
  LAST_DATE,
  MS_OF_UNITS,
  formatGroup,
  listRecords,
  listResultNames,
  listUnits,
  mapUnits,
} from './items/units.js'
export type { TrackedRecord, WorkflowUnit } from './items/units.js'

// Resources, and the schemas of requests and responses about their items
export { RESOURCE_NAMES } from './resource-names.js'
export { LISTS, SHAPES, addImpliedResources, resolveLists } from './resources.js'
export type { ItemSchema, ItemTypes, Lists, ReadLists, ResourceShape } from './resources.js'
export {
  PatchBody,
  getItemPartSchema,
  getItemSchema,
  getNewItemSchema,
  getNewSetSchema,
  getSeedSchema,
} from './item-schemas.js'

// The parameters of lists
export { LIST_QUERYSTRINGS, ListQuerystring } from './list-querystring.js'

// The operations of a mock: what each takes, and what it answers with
export {
  Items,
  OPERATIONS,
  ResourceParameters,
  getExplainQuerystring,
} from './controls/operations.js'
export type { AnswerOf, BodyOf, OperationName, ParamsOf, QueryOf } from './controls/operations.js'
export { toControlRequest } from './controls/control-request.js'
export { EXPECTED_NAME, NAME_PATTERN } from './controls/names.js'
export {
  Delay,
  FailureStatus,
  Fault,
  FaultRule,
  MAX_DELAY,
  OUTCOME_KEYS,
  PRESET_NAMES,
  parseLatency,
} from './controls/fault.js'
export type { FaultHeaders, FaultOutcome, PresetName } from './controls/fault.js'
export { JournalItem, RecordedRequest } from './controls/journal-item.js'
export type {
  AppliedFault,
  BodyState,
  JournalResponse,
  Outcome,
  RequestArrival,
  RequestItem,
} from './controls/journal-item.js'
export { CLOCK_KEYS, EXPECTED_TIME, LAST_TIME } from './controls/clock.js'
export type { ClockChange, ClockState, RunDescription } from './controls/clock.js'
export type { ItemExplanation, ListExplanation } from './controls/explanation.js'
export { Footprint } from './controls/footprint.js'
export type { Use } from './controls/footprint.js'
export type { ClosestRequest, CountRange, Verification } from './controls/verification.js'
export { Scenario } from './controls/scenario.js'
export { ACCOUNT_TYPES, AccountType, Credentials } from './controls/sessions.js'
export type { AccountSummary, OpenedSession } from './controls/sessions.js'

// The fields of items by their schemas
export { SCHEMA_FIELDS, findObjectSchema, listMissing, listMissingOfNew } from './schema-fields.js'
export type { SchemaField } from './schema-fields.js'
