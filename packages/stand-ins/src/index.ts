/** The files that `node:fs` of a browser has, by their names. Each other file of this package stands for a module of Node. */
export { files } from './fs.js'
