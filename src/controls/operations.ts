import { clockOperations } from './clock.js'
import type { ControlOptions, Operation } from './control.js'
import { createExplainOperations } from './explain/explain-operations.js'
import { faultOperations } from './faults/fault-operations.js'
import {
  createReloadOperation,
  restoreOperation,
  seedOperation,
} from './fixtures/fixture-routes.js'
import { footprintOperation } from './footprint/footprint.js'
import { createHealthOperation } from './health.js'
import { createRequestOperations } from './journal/journal-operations.js'
import { createSandboxOperations } from './sandboxes/sandboxes.js'
import type { Sandboxes } from './sandboxes/sandboxes.js'
import { createScenarioOperations } from './scenarios.js'
import type { Scenarios } from './scenarios.js'
import { sessionOperations } from './sessions.js'
import { snapshotOperations } from './snapshots.js'
import { symmetryOperation } from './symmetry.js'

/** Creates all operations of a mock: the one table that its controls, its members and the tools of agents read. */
export const createOperations = (
  options: ControlOptions,
  sandboxes: Sandboxes,
  scenarios: Scenarios,
): Operation[] => [
  createHealthOperation(options),
  ...snapshotOperations,
  createReloadOperation(options),
  seedOperation,
  restoreOperation,
  ...clockOperations,
  ...createScenarioOperations(scenarios),
  ...createSandboxOperations(sandboxes),
  ...sessionOperations,
  ...faultOperations,
  footprintOperation,
  symmetryOperation,
  ...createExplainOperations(options),
  ...createRequestOperations(options),
]
