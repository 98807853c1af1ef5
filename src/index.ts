export { buildApp } from './app.js'
export type { BuildOptions, Settings } from './app.js'
