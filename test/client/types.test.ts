import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

import t from 'tap'
import ts from 'typescript'

import { JOB_STATUSES } from '@materials-mock/api'
import type { JsonObject } from '@materials-mock/json'
import { createNumbers, createStructureModel, makePropertyData } from '@materials-mock/structures'
import * as exported from '../../src/client.js'
import { createClient } from '../../src/client.js'
import type { AnyItem } from '../../src/client.js'
import { startMock } from '../../src/mock/start-mock.js'
import { writeItemTypes } from '../../scripts/client-items.js'
import { HEAD, OPTIONS, PROGRAMS, judge } from './programs.js'

await writeItemTypes()

t.test('editors complete paths and values, and show short types', async (t) => {
  const { complete, describe, countMembers } = createEditor(`
    import { createClient } from './index.js'
    import type { FieldPath, Job } from './index.js'
    type Paths = FieldPath<Job>
    const { materials, jobs } = createClient()
    void materials.list({ /*query*/ })
    void materials.list({}, { sort: { /*sort*/ } })
    void materials.list({}, { fields: { /*fields*/ } })
    void materials.update('m1', { $set: { /*set*/ } })
    void jobs.list({ status: '/*status*/' })
    const parts = await materials.list({ isEntitySet: false }, { fields: { name: 1, 'lattice.a': 1 } })
    const cut = await materials.list({}, { fields: { name: 1, 'lattice.a': 1 } }); void cut/*cut*/
    const edge = parts/*parts*/[0]?.lattice/*lattice*/.a/*edge*/
    const job = await jobs.submit('j1'); void job.status/*state*/
    const [part] = job.workflow?.subworkflows/*workflow*/ ?? []; void part?.units/*units*/[0]?.status/*unit*/
    const whole = await materials.all({ formula: 'Si' }); void whole/*whole*/
    const single = await materials.all({ isEntitySet: false }); void single/*single*/
  `)
  for (const place of ['query', 'sort', 'fields', 'set']) {
    const names = complete(place)
    for (const path of ['_id', 'name', '"lattice.a"', '"basis.elements.value"', '"owner._id"'])
      t.ok(names.includes(path), `${path} in ${place}`)
  }
  t.same(complete('status').toSorted(), [...JOB_STATUSES].toSorted())
  const pathCount = countMembers('Paths')
  t.ok(pathCount > 200 && pathCount < 300, `${pathCount} paths, which each call is compared with`)
  t.same(['parts', 'lattice', 'edge', 'cut', 'whole', 'single'].map(describe), [
    'const parts: Picked<Material, "_id" | "name" | "lattice.a">[]',
    '(property) lattice: Picked<Lattice, "a"> The cell: lengths in Å, angles in degrees.',
    '(property) a: number The length of the edge a in Å.',
    'const cut: (Picked<Material, "_id" | "name" | "lattice.a"> | Pick<MaterialSet, "_id" | "name" | "lattice">)[]',
    'const whole: (Material | MaterialSet)[]',
    'const single: Material[]',
  ])
  t.same(
    ['state', 'workflow', 'units', 'unit'].map((place) => describe(place).split(' The')[0]),
    [
      '(property) Job.status: Status',
      '(property) Workflow.subworkflows: Subworkflow[] | undefined',
      '(property) Subworkflow.units: Unit[]',
      '(property) Unit.status?: UnitStatus | undefined',
    ],
  )
})

t.test('programs compile or are refused with a reason, and items have the types', async (t) => {
  const [, page = ''] = /^```ts\n(import .*?)^```/ms.exec(read('docs/client.md')) ?? []
  const answers = await describeAnswers()
  const programs = [ITEMS, answers, ...PROGRAMS.map(({ code }) => code)].map((code) => HEAD + code)
  const made = read('packages/client/src/item-types.ts').matchAll(/^export interface (\w+)/gm)
  const names = [...made].map(([, name]) => name)
  t.ok(names.length > 20)
  const exports = `import type { ${names.join(', ')} } from 'materials-mock/client'\nexport type All = [${names.join(', ')}]`
  const [ofPage, ofExports, ofItems, ofAnswers, ...errors] = compile([page, exports, ...programs])
  t.same([page === '', ofPage, ofItems, ofAnswers], [false, [], [], []])
  t.same(ofExports, [], 'the types of all items and of their parts are exported')
  t.same(
    judge((index) => errors[index] ?? []),
    [],
  )
})

const read = (path: string): string =>
  readFileSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)), 'utf8')

/** Names of properties whose data have types of their own. */
const COMPUTED = `
  total_energy fermi_energy pressure total_force surface_energy homo_energy band_structure
  density_of_states band_gaps phonon_dispersions phonon_dos stress_tensor atomic_forces
  magnetic_moments potential_profile convergence_electronic convergence_ionic`
  .trim()
  .split(/\s+/)

/** A program with the shipped items, and with what jobs compute for the first material. */
const ITEMS = `
  import type { PropertyData } from 'materials-mock/client'
  declare const jobsAre: <Item extends Job>(items: Item[]) => void
  declare const workflowsAre: <Item extends Workflow>(items: Item[]) => void
  declare const propertiesAre: <Item extends Property>(items: Item[]) => void
  jobsAre(${read('fixtures/jobs.json')})
  workflowsAre(${read('fixtures/workflows.json')})
  propertiesAre(${read('fixtures/properties.json')})
  export const data: PropertyData[] = ${JSON.stringify(computeData())}`

function computeData(): JsonObject[] {
  const [material] = JSON.parse(read('fixtures/materials.json')) as JsonObject[]
  const numbers = createNumbers('types')
  const input = { model: createStructureModel(material), path: [], numbers, unitNumbers: numbers }
  return COMPUTED.map((name) => makePropertyData(name, input))
}

const POSCAR = 'Polonium\n1\n3.35 0 0\n0 3.35 0\n0 0 3.35\nPo\n1\ndirect\n0 0 0\n'

/** Returns a program with what a server answers to ordinary writes, and lists after them. */
async function describeAnswers(): Promise<string> {
  const mock = await startMock({ logLevel: 'silent', jobDuration: 0 })
  const client = createClient({ fetch: mock.fetch })
  await client.login('demo', 'demo')
  const lines: string[] = []
  for (const name of ['materials', 'workflows', 'projects', 'jobs', 'properties'] as const) {
    const resource = client.resource<AnyItem & JsonObject>(name)
    const made = await resource.create({ name: 'made' })
    const set = await client.send<AnyItem>('PUT', `/${name}/create-set`, { body: { name: 'set' } })
    await client.send('POST', `/${name}/${made._id}/move-to-set`, {
      parameters: { newSetId: set._id },
    })
    const answers = [
      made,
      set,
      await resource.update(set._id, { $push: { tags: 'changed' } }),
      await resource.copy(made._id),
      await resource.copy(set._id),
      await resource.setDefault(made._id),
      ...(name === 'materials' ? [await client.materials.import({ content: POSCAR })] : []),
      ...(name === 'jobs' ? [await client.jobs.submit(made._id)] : []),
      ...(await resource.list({ name: { $in: ['made', 'set'] } })),
    ]
    lines.push(`are('${name}', ${JSON.stringify(answers)})`)
  }
  await mock.close()
  return `
    import type { ItemTypes, SetTypes } from 'materials-mock/client'
    declare const are: <
      Name extends keyof ItemTypes,
      Item extends ItemTypes[Name] | SetTypes[Name]
    >(name: Name, items: Item[]) => void
    ${lines.join('\n')}
    export {}`
}

/** Compiles programs, and returns the errors of each. */
function compile(programs: readonly string[]): string[][] {
  const texts = new Map(programs.map((text, index) => [`/programs/${index}.ts`, text]))
  const client = fileURLToPath(new URL('../../src/client.ts', import.meta.url))
  const { options } = ts.convertCompilerOptionsFromJson(
    { ...OPTIONS, paths: { 'materials-mock/client': [client] } },
    '/programs',
  )
  const host = ts.createCompilerHost(options)
  const { readFile, fileExists, getSourceFile } = host
  host.readFile = (path) => texts.get(path) ?? readFile(path)
  host.fileExists = (path) => texts.has(path) || fileExists(path)
  host.getSourceFile = (path, ...rest) => {
    const text = texts.get(path)
    return text === undefined
      ? getSourceFile(path, ...rest)
      : ts.createSourceFile(path, text, ts.ScriptTarget.ES2022)
  }
  const program = ts.createProgram([...texts.keys()], options, host)
  return [...texts.keys()].map((path) =>
    ts
      .getPreEmitDiagnostics(program, program.getSourceFile(path))
      .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' ')),
  )
}

t.test('materials-mock/client exports no helper', async (t) =>
  t.same(Object.keys(exported).toSorted(), ['ApiError', 'createClient']),
)

/** Opens a text beside the client in TypeScript's language service, which editors use. */
function createEditor(text: string): {
  /** Returns the names that are offered at a place, which is a comment. */
  complete: (place: string) => string[]
  /** Returns what is shown of the name before a place. */
  describe: (place: string) => string
  /** Returns the number of members of a union that the text declares. */
  countMembers: (name: string) => number
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
    countMembers: (name) => {
      const program = service.getProgram()
      const declared = program
        ?.getSourceFile(file)
        ?.statements.filter(ts.isTypeAliasDeclaration)
        .find((alias) => alias.name.text === name)
      const type = declared && program?.getTypeChecker().getTypeAtLocation(declared)
      return type?.isUnion() === true ? type.types.length : 0
    },
  }
}
