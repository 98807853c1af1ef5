/** A script of package.json, with arguments. */
export type ScriptCall = readonly [script: string, ...args: string[]]

/** What must leave every committed file as it is. */
export const GENERATORS: readonly ScriptCall[] = [['format'], ['fixtures'], ['document:options']]

/** What `.ci/run` does not run, because it is long or measures: a release runs it before it is tagged. */
export const RELEASE_CHECKS: readonly ScriptCall[] = [
  ['coverage'],
  ['lint:openapi'],
  ['test:postman'],
  ['try:clients'],
  ['try:typescript'],
  ['compare:platform'],
  ['compare:mingo'],
  ['compare:patterns'],
  ['measure:types'],
  ['measure:page'],
  ['measure:journal'],
  ['generate', '--', '--count', '2'],
  ['bench', '--', '--no-peers'],
]

/** What changes committed files that a release commits: pictures are never the same twice. */
export const PICTURES: ScriptCall = ['screenshots']

/** What must hold with the new version, which pages show. */
export const TEST_OF_PAGES: ScriptCall = ['test', '--', 'test/docs']
