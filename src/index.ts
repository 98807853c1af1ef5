/** The exports of the package: the server in process, and the mock for tests. */
export { buildApp } from './server/app.js'
export type { BuildOptions } from './server/app.js'
export type { Settings } from './server/server-state.js'
export * from './errors.js'
export type { Json, JsonObject } from '@materials-mock/json'
export type { Account } from './store/sign-in/accounts.js'
export type {
  SeedItems,
  SeedJob,
  SeedMaterial,
  SeedWorkflow,
  SeededItems,
} from './fixtures/seed/seed-store.js'
export type { Projection } from '@materials-mock/query'
export type {
  ClockState,
  Fault,
  FaultRule,
  Footprint,
  ItemExplanation,
  Material,
  RunDescription,
  Scenario,
} from '@materials-mock/api'
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
