/** The scripts and style sheets of the pages in this folder, by the names that their HTML has for them. */
export const ENTRIES = {
  page: 'main.tsx',
  explorer: 'explorer/main.tsx',
  'page-style': 'styles/index.css',
  'explorer-style': 'explorer/explorer.css',
} as const

/** The operators that the page completes. The bundler defines them as `QUERY_OPERATORS`. */
export type { OperatorNames } from './json/completions.js'
