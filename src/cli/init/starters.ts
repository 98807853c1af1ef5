export interface Project {
  readonly packages: ReadonlySet<string>
  readonly hasPackageJson: boolean
  /** Whether its `.js` files are ES modules. */
  readonly isModule: boolean
  readonly isTypeScript: boolean
  readonly usesPytest: boolean
  /** The names of the files of its folder. */
  readonly files: ReadonlySet<string>
}

export interface Starter {
  readonly tool: string
  readonly file: string
  readonly text: string
  /** The script of package.json that uses it. */
  readonly script?: readonly [name: string, command: string]
}

/** The tools that are found, each with what starts the mock. */
export function listStarters(project: Project): Starter[] {
  const { packages, usesPytest } = project
  return [
    ...(packages.has('vite') ? [toDevelopment('Vite', 'VITE_PLATFORM_URL')] : []),
    ...(packages.has('next') ? [toDevelopment('Next', 'NEXT_PUBLIC_PLATFORM_URL')] : []),
    ...(packages.has('vitest') ? [toVitest(project)] : []),
    ...(packages.has('jest') && !packages.has('vitest') ? [toJest(project)] : []),
    ...(packages.has('@playwright/test') ? [toPlaywright(project)] : []),
    ...(usesPytest ? [PYTEST] : []),
  ]
}

const toDevelopment = (tool: string, variable: string): Starter => ({
  tool,
  file: 'mock-dev.mjs',
  script: ['dev:mock', 'node mock-dev.mjs'],
  text: `// npm run dev:mock: the script "dev", with a mock of the platform at ${variable}.
import { spawn } from 'node:child_process'
import { startMock } from 'materials-mock'

const mock = await startMock({ port: 4000 })
console.log(\`mock of the platform: \${mock.url}\`)
const dev = spawn('npm', ['run', 'dev', '--', ...process.argv.slice(2)], {
  stdio: 'inherit',
  shell: process.platform === 'win32',
  env: { ...process.env, ${variable}: mock.url },
})
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => dev.kill(signal))
dev.on('exit', async (code) => {
  await mock.close()
  process.exitCode = code ?? 1
})
`,
})

/** A test that both runners have, after what imports its parts. */
const toTest = (head: string): string => `${head}
let mock
beforeAll(async () => {
  mock = await startMock()
})
afterEach(() => mock.reset())
afterAll(() => mock.close())

test('lists the materials of the mock', async () => {
  const client = createClient({ url: mock.url })
  await client.login('demo', 'demo')
  const silicon = await client.materials.list({ formula: 'Si' }, { sort: { name: 1 }, limit: 2 })
  expect(silicon.map(({ formula }) => formula)).toEqual(['Si', 'Si'])
})

test('sees the platform fail', async () => {
  mock.faults.add({ path: '/api/*/login', status: 503, message: 'the platform is busy' })
  await expect(createClient({ url: mock.url }).login('demo', 'demo')).rejects.toThrow('busy')
})
`

const IMPORTS = `import { startMock } from 'materials-mock'
import { createClient } from 'materials-mock/client'
`

const REQUIRES = `const { startMock } = require('materials-mock')
const { createClient } = require('materials-mock/client')
`

const toVitest = ({ isTypeScript }: Project): Starter => {
  const text = toTest(`// @vitest-environment node
${isTypeScript ? "import type { Mock } from 'materials-mock'\n" : ''}${IMPORTS}import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
`)
  return {
    tool: 'Vitest',
    file: `tests/materials-mock.test.${isTypeScript ? 'ts' : 'js'}`,
    text: isTypeScript ? text.replace('let mock\n', 'let mock: Mock\n') : text,
  }
}

const toJest = ({ isModule }: Project): Starter => ({
  tool: 'Jest',
  file: '__tests__/materials-mock.test.js',
  text: toTest(`/** @jest-environment node */
${isModule ? IMPORTS : REQUIRES}`),
})

const toPlaywright = ({ files, isTypeScript }: Project): Starter => {
  const own = ['playwright.config.ts', 'playwright.config.js', 'playwright.config.mjs'].find(
    (file) => files.has(file),
  )
  const path = `'./${own?.replace(/\.ts$/, '')}'`
  // Playwright reads TypeScript without a tsconfig.json, but imports none from a file of JavaScript.
  const usesTypeScript = isTypeScript || own?.endsWith('.ts')
  const file = `playwright.mock.config.${usesTypeScript ? 'ts' : 'mjs'}`
  return {
    tool: 'Playwright',
    file,
    script: ['test:mock', `playwright test --config ${file}`],
    text: `import { defineConfig } from '@playwright/test'
${own === undefined ? '' : `import config from ${path}\n`}
// npm run test:mock: the tests, with a mock of the platform at http://127.0.0.1:4000.
export default defineConfig(${own === undefined ? '' : 'config, '}{
  webServer: [
    {
      command: 'npx --no-install materials-mock --port 4000',
      url: 'http://127.0.0.1:4000/__admin/health',
      reuseExistingServer: true,
    },
  ],
})
`,
  }
}

const PYTEST: Starter = {
  tool: 'pytest',
  file: 'tests/test_materials_mock.py',
  text: `# The fixture \`mock\` is that of the plugin: pip install ./node_modules/materials-mock/python


def test_lists_the_materials_of_the_mock(mock):
    silicon = mock.client.materials.list({"formula": "Si"}, sort={"name": 1}, limit=2)
    assert [each["formula"] for each in silicon] == ["Si", "Si"]
    mock.expect_requests({"resource": "materials"}, count=1)
`,
}
