import type { Plugin } from 'esbuild'

import { replaceInModules } from './replace-in-modules.js'

const SERVER = 'fastify/lib/server.js'

/** Lets the command load what Fastify needs for other servers at its first use. */
export const fewerBuiltins = replaceInModules('fewer-builtins', [
  ...['https', 'http2', 'dns', 'os'].map((name) => ({
    module: SERVER,
    from: `const ${name} = require('node:${name}')`,
    to: `const ${name} = new Proxy({}, { get: (_, key) => require('node:${name}')[key] })`,
  })),
  {
    module: 'fastify/lib/logger-factory.js',
    from: "const { performance } = require('node:perf_hooks')",
    to: 'const { performance } = globalThis',
  },
  {
    // It compares the version of Fastify with those that plugins support. Here, both are bundled.
    module: 'fastify/lib/plugin-utils.js',
    from: "const semver = require('semver')",
    to: 'const semver = { satisfies: () => true }',
  },
])

/** The modules of Node that a start does not use, although modules of it import them. */
const LAZY = 'crypto|fs/promises|child_process|os'

/** Loads them at their first use. An import of names becomes an object in the bundle. */
export const lazyBuiltins: Plugin = {
  name: 'lazy-builtins',
  setup: ({ onEnd }) =>
    onEnd(({ outputFiles = [] }) => {
      for (const file of outputFiles) {
        const code = file.text.replaceAll(
          new RegExp(`(import_\\w+ ?= ?)require\\("(node:(?:${LAZY}))"\\)`, 'g'),
          '$1new Proxy({},{get:(_,name)=>require("$2")[name]})',
        )
        file.contents = new TextEncoder().encode(code)
      }
    }),
}
