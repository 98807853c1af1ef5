import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

import t from 'tap'
import ts from 'typescript'

import { JOB_STATUSES } from '@materials-mock/api'
import { writeItemTypes } from '../../scripts/client-items.js'

await writeItemTypes()

t.test('editors complete paths and values, and show short types', async (t) => {
  const { complete, describe } = createEditor(`
    import { createClient } from './index.js'
    const { materials, jobs } = createClient()
    void materials.list({ /*query*/ })
    void materials.list({}, { sort: { /*sort*/ } })
    void materials.list({}, { fields: { /*fields*/ } })
    void materials.update('m1', { $set: { /*set*/ } })
    void jobs.list({ status: '/*status*/' })
    const parts = await materials.list({}, { fields: { name: 1, 'lattice.a': 1 } })
    const edge = parts/*parts*/[0]?.lattice/*lattice*/.a/*edge*/
    const whole = await materials.all({ formula: 'Si' }); void whole/*whole*/
  `)
  for (const place of ['query', 'sort', 'fields', 'set']) {
    const names = complete(place)
    for (const path of ['_id', 'name', '"lattice.a"', '"basis.elements.value"', '"owner._id"'])
      t.ok(names.includes(path), `${path} in ${place}`)
  }
  t.same(complete('status').toSorted(), [...JOB_STATUSES].toSorted())
  t.same(['parts', 'lattice', 'edge', 'whole'].map(describe), [
    'const parts: Picked<Material, "_id" | "name" | "lattice.a">[]',
    '(property) lattice: Picked<Lattice, "a"> The cell: lengths in Å, angles in degrees.',
    '(property) a: number The length of the edge a in Å.',
    'const whole: Material[]',
  ])
})

const read = (path: string): string =>
  readFileSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)), 'utf8')

t.test('materials-mock/client exports the type of every item and of its parts', async (t) => {
  const made = read('packages/client/src/item-types.ts').matchAll(/^export interface (\w+)/gm)
  const exported = read('src/client.ts')
  const missing = [...made].filter(([, name]) => !new RegExp(`\\b${name},`).test(exported))
  t.same(missing, [])
})

/** Opens a text beside the client in TypeScript's language service, which editors use. */
function createEditor(text: string): {
  /** Returns the names that are offered at a place, which is a comment. */
  complete: (place: string) => string[]
  /** Returns what is shown of the name before a place. */
  describe: (place: string) => string
} {
  const file = fileURLToPath(new URL('../../packages/client/src/editor.ts', import.meta.url))
  const readText = (path: string): string | undefined =>
    path === file ? text : ts.sys.readFile(path)
  const service = ts.createLanguageService({
    getCompilationSettings: () => ({
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.NodeNext,
      strict: true,
      types: [],
    }),
    getScriptFileNames: () => [file],
    getScriptVersion: () => '1',
    getScriptSnapshot: (path) => {
      const content = readText(path)
      return content === undefined ? undefined : ts.ScriptSnapshot.fromString(content)
    },
    getCurrentDirectory: ts.sys.getCurrentDirectory,
    directoryExists: ts.sys.directoryExists,
    getDirectories: ts.sys.getDirectories,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    fileExists: (path) => path === file || ts.sys.fileExists(path),
    readFile: readText,
  })
  return {
    complete: (place) =>
      (service.getCompletionsAtPosition(file, text.indexOf(`/*${place}*/`), {})?.entries ?? []).map(
        ({ name }) => name,
      ),
    describe: (place) => {
      const info = service.getQuickInfoAtPosition(file, text.indexOf(`/*${place}*/`) - 1)
      const parts = [info?.displayParts, info?.documentation].map(ts.displayPartsToString)
      return parts.join(' ').trim()
    },
  }
}
