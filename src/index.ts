/** The exports of the package: the server in process, and the mock for tests. */
export { buildApp } from './app.js'
export type { BuildOptions, Settings } from './app.js'
export type { ItemExplanation } from './controls/explain/explain-item.js'
export type { FaultRule } from './controls/faults.js'
export * from './errors.js'
export type { Json, JsonObject } from './json/json.js'
export type { Account } from './schemas/account.js'
export type { Fault } from './schemas/fault.js'
export type {
  SeedItems,
  SeedJob,
  SeedMaterial,
  SeedWorkflow,
  SeededItem,
  SeededItems,
} from './schemas/controls/seed.js'
export type { Projection } from './schemas/list-querystring.js'
export type { Material } from './schemas/items/material.js'
export type { ExpectOptions, ExplainOptions } from './mock-expectations.js'
export { startMock } from './start-mock.js'
export type { Mock, MockFaults } from './start-mock.js'
