/** The exports of the package's `connect`: the mock of another process, and the errors that it throws. */
export * from '../errors.js'
export { connectMock } from './connect-mock.js'
export type { ConnectedMock } from './members.js'
