import { spawn, spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

import { bundleCommand } from '../bundle-command.js'

// Runs the tests of the Python package and its example by pytest, with the command of this clone:
// `tsx scripts/test/run-python.ts [path …]`. Without a Python that has pytest and pytest-xdist, it leaves
// them out, except in CI. At the end, it prints totals as the other tests do.

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

const PATHS = ['python/tests', 'docs/examples/pytest']

const python = ['python3', '/usr/bin/python3'].find(
  (each) => spawnSync(each, ['-c', 'import pytest, xdist']).status === 0,
)

if (python === undefined) {
  console.log('left out: there is no Python with pytest and pytest-xdist')
  console.log(process.env.CI === undefined ? '0 passed, 0 failed' : '0 passed, 1 failed')
  process.exitCode = process.env.CI === undefined ? 0 : 1
} else {
  await bundleCommand()
  const paths = process.argv.length > 2 ? process.argv.slice(2) : PATHS
  const child = spawn(python, ['-m', 'pytest', '-p', 'no:cacheprovider', ...paths], {
    cwd: ROOT,
    env: {
      ...process.env,
      MATERIALS_MOCK_COMMAND: `${ROOT}dist/cli.cjs`,
      PYTEST_PLUGINS: 'materials_mock.pytest_plugin',
      PYTHONDONTWRITEBYTECODE: '1',
      PYTHONPATH: `${ROOT}python`,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  for await (const chunk of child.stdout) {
    process.stdout.write(chunk)
    output += chunk
  }
  const count = (name: string): number =>
    Number(new RegExp(`(\\d+) ${name}`).exec(output.trim().split('\n').at(-1) ?? '')?.[1] ?? 0)
  const passed = count('passed')
  const failed = count('failed') + count('errors?') + count('skipped')
  console.log(`${passed} passed, ${failed} failed`)
  process.exitCode = passed > 0 && failed === 0 ? 0 : 1
}
