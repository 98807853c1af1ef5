/** What the bundle of the server for a browser exports, for the package's entry and for sites. */
export * from '../errors.js'
export { KeptItems } from './kept-items.js'
export { createStartMock, startMock } from './start-mock.js'
