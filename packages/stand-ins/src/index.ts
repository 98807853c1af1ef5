// Each other file of this folder stands for a module of Node. Ours use the files of `node:fs` themselves, too.
export { existsSync, files, readFileSync } from './fs.js'
