/** The exports of the package: the server in process, and the mock for tests. */
export { buildApp } from './server/app.js'
export type { BuildOptions } from './server/app.js'
export type { Settings } from './server/compose.js'
export type { ItemExplanation } from './admin/explain/explanation.js'
export type { Scenario } from './admin/scenarios.js'
export * from './errors.js'
export type { Footprint } from './admin/footprint/footprint.js'
export type { Json, JsonObject } from './json/json.js'
export type { RunDescription } from './domain/jobs/units.js'
export type { ClockState } from './domain/items/clock-state.js'
export type { Account } from './store/sign-in/accounts.js'
export type { Fault, FaultRule } from './admin/faults/fault.js'
export type {
  SeedItems,
  SeedJob,
  SeedMaterial,
  SeedWorkflow,
  SeededItems,
} from './fixtures/seed/seed-store.js'
export type { Projection } from './query/list-query.js'
export type { Material } from './domain/items/material.js'
export { connectMock } from './mock/connect-mock.js'
export type {
  ConnectedMock,
  ExpectOptions,
  ExplainOptions,
  Mock,
  MockClock,
  MockFaults,
  RecordedRequest,
} from './mock/members.js'
export { startMock } from './mock/start-mock.js'
