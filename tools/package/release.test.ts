import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

import t from 'tap'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const run = promisify(execFile)

t.test('a release bumps, tags and packs, and refuses what is not ready', async (t) => {
  const folder = t.testdir({
    'package.json': JSON.stringify({
      name: 'materials-mock',
      version: '0.2.0',
      scripts: {
        prepack: 'node build.mjs',
        'lint:openapi': 'test -e linted',
        test: 'grep --quiet materials-mock-0.3.0 README.md #',
      },
    }),
    'README.md': 'npm install ./materials-mock-0.2.0.tgz\n',
    'CHANGELOG.md': '# Changelog\n\n## Unreleased\n\n## 0.2.0\n\n- Something old.\n',
    '.gitignore': '*.tgz\n*.tar.gz\ndist/\nlinted\n',
    'build.mjs': `
      import { readFileSync, writeFileSync } from 'node:fs'
      const { version } = JSON.parse(readFileSync('package.json', 'utf8'))
      const client = { name: 'materials-client', version }
      writeFileSync('dist/client-package/package.json', JSON.stringify(client))
    `,
    dist: { 'client-package': {} },
    docs: { 'controls.md': '"version": "0.2.0"\n' },
    python: { 'pyproject.toml': 'version = "0.2.0"\n' },
  })
  const git = async (...args: string[]): Promise<string> =>
    (await run('git', args, { cwd: folder })).stdout.trim()
  const commit = async (): Promise<string> => git('commit', '--quiet', '--all', '--message', 'x')
  const release = (...args: string[]): Promise<{ stdout: string }> =>
    run(`${ROOT}node_modules/.bin/tsx`, [`${ROOT}scripts/release.ts`, ...args], { cwd: folder })

  await git('init', '--quiet', '--initial-branch', 'main')
  await git('config', 'user.name', 'Ann')
  await git('config', 'user.email', 'ann@example.org')
  await git('add', '--all')
  await commit()
  await t.rejects(release('minor'), /no changes under "## Unreleased"/)
  const changelog = await readFile(`${folder}/CHANGELOG.md`, 'utf8')
  const changed = changelog.replace('Unreleased\n', 'Unreleased\n\n- Something new.\n')
  await writeFile(`${folder}/CHANGELOG.md`, changed)
  await t.rejects(release('minor'), /not committed/)
  await commit()
  await t.rejects(release('0.1.9'), /a version above 0.2.0/)

  t.equal(
    (await release('minor', '--dry-run')).stdout,
    '0.2.0 becomes 0.3.0: would commit it, tag it v0.3.0, and pack it, the client and materials_mock-0.3.0\n',
  )
  t.equal(await git('status', '--porcelain'), '')
  await t.rejects(release('minor'), /npm run lint:openapi fails/)
  t.equal(await git('log', '-1', '--format=%s'), 'x', 'a check that fails leaves all as it was')
  await writeFile(`${folder}/linted`, '')
  t.equal(
    (await release('minor')).stdout,
    [
      'materials-mock-0.3.0.tgz',
      'materials-client-0.3.0.tgz',
      'materials_mock-0.3.0.tar.gz',
      '',
    ].join('\n'),
  )
  t.equal(await git('log', '-1', '--format=%s %D'), 'Release 0.3.0 HEAD -> main, tag: v0.3.0')
  t.equal(await git('status', '--porcelain'), '')
  const date = new Date().toISOString().slice(0, 10)
  t.match(
    await readFile(`${folder}/CHANGELOG.md`, 'utf8'),
    `## Unreleased\n\n## 0.3.0 - ${date}\n\n- Something new.\n\n## 0.2.0\n`,
  )
  t.match(await readFile(`${folder}/README.md`, 'utf8'), 'materials-mock-0.3.0.tgz')
  t.equal(await readFile(`${folder}/python/pyproject.toml`, 'utf8'), 'version = "0.3.0"\n')
  t.equal(await readFile(`${folder}/docs/controls.md`, 'utf8'), '"version": "0.3.0"\n')
  const { stdout: packed } = await run('tar', ['tzf', 'materials_mock-0.3.0.tar.gz'], {
    cwd: folder,
  })
  t.match(packed.split('\n'), [
    'materials_mock-0.3.0/',
    'materials_mock-0.3.0/pyproject.toml',
    'materials_mock-0.3.0/PKG-INFO',
  ])
})

const read = (file: string): Promise<string> => readFile(ROOT + file, 'utf8')

t.test('the package, the client and the Python package have one version', async (t) => {
  const { version } = JSON.parse(await read('package.json'))
  t.equal(JSON.parse(await read('package-lock.json')).version, version)
  t.equal(JSON.parse(await read('dist/client-package/package.json')).version, version)
  t.match(await read('python/pyproject.toml'), `\nversion = "${version}"\n`)
  t.match(await read('README.md'), `materials-mock ${version} is running`)
  t.match(await read('CHANGELOG.md'), `\n## ${version}`)
})
