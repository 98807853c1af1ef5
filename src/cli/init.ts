import { existsSync } from 'node:fs'
import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline/promises'

import { Type } from '@sinclair/typebox'
import type { Static } from '@sinclair/typebox'

import { asError, isJsonObject, parseIfJson, quote, toObject } from '@materials-mock/json'
import { OptionsInvalid } from '../errors.js'
import { parseOptions, print } from './command.js'
import type { Command } from './command.js'
import { listStarters } from './init/starters.js'
import type { Project, Starter } from './init/starters.js'

export const InitOptions = Type.Object(
  {
    yes: Type.Boolean({ default: false, description: 'write without asking' }),
  },
  { additionalProperties: false },
)

type Init = Static<typeof InitOptions> & { readonly folder: string }

export const init: Command<Init> = {
  usage: '[DIR] [options]',
  summary: [
    'init adds the mock to the project in DIR (default: here): to Vite, Next, Vitest, Jest, Playwright or pytest.',
    'It shows the lines before it writes them. Of the files that exist, it changes only the scripts of package.json:',
  ].join('\n'),
  schema: InitOptions,
  operands: ['DIR'],
  parse: ({ DIR: folder = '.', ...flags }) => ({
    ...parseOptions(InitOptions, flags),
    folder: String(folder),
  }),
  run: initProject,
}

/** @throws OptionsInvalid for a folder without a known tool, and for a file that can't be written */
async function initProject({ folder, yes }: Init): Promise<boolean> {
  const { project, packageText } = await readProject(folder)
  const starters = listStarters(project)
  if (starters.length === 0) {
    throw new OptionsInvalid(
      `give the folder of a project with Vite, Next, Vitest, Jest, Playwright or pytest; ${quote(folder)} has none of them`,
    )
  }
  print(`found ${starters.map(({ tool }) => tool).join(', ')}`)
  const files = new Map(starters.map((each) => [each.file, each.text]))
  for (const file of files.keys()) {
    if (!existsSync(join(folder, file))) continue
    print(`${file} is there, and stays as it is`)
    files.delete(file)
  }
  const changed = addScripts(packageText, starters)
  if (changed !== undefined) files.set('package.json', changed.text)
  for (const [file, text] of files) {
    const shown = file === 'package.json' ? (changed?.scripts ?? []).join('\n') : text.trimEnd()
    print(`\n${file === 'package.json' ? 'package.json, scripts' : file}:\n\n${indent(shown)}`)
  }
  if (files.size === 0) return true
  if (!yes && !(await isConfirmed())) {
    print('\nnothing is written; --yes writes it without asking')
    return true
  }
  for (const [file, text] of files) await write(folder, file, text)
  print(`\nwritten: ${[...files.keys()].join(', ')}`)
  if (project.hasPackageJson && !project.packages.has('materials-mock'))
    print(`add the mock itself: npm install --save-dev "$(npm pack PATH_OF_ITS_CLONE --silent)"`)
  return true
}

const indent = (text: string): string => text.replace(/^(?=.)/gm, '    ')

async function isConfirmed(): Promise<boolean> {
  if (!process.stdin.isTTY) return false
  const lines = createInterface({ input: process.stdin, output: process.stdout })
  const answer = await lines.question('\nWrite this? [y/N] ')
  lines.close()
  return /^y(?:es)?$/i.test(answer.trim())
}

/** Files that name pytest, if it is used. */
const PYTHON_FILES = [
  'pyproject.toml',
  'setup.cfg',
  'tox.ini',
  'requirements.txt',
  'requirements-dev.txt',
]

/** @throws OptionsInvalid for a folder that can't be read, and a package.json that is none */
async function readProject(
  folder: string,
): Promise<{ readonly project: Project; readonly packageText: string }> {
  const files = new Set(
    await readdir(folder).catch(({ message }: Error) => {
      throw new OptionsInvalid(`give the folder of a project; it can't be read: ${message}`)
    }),
  )
  const read = async (file: string): Promise<string> =>
    files.has(file) ? readFile(join(folder, file), 'utf8') : ''
  const packageText = await read('package.json')
  const parsed = parseIfJson(packageText)
  if (packageText !== '' && !isJsonObject(parsed))
    throw new OptionsInvalid(`${join(folder, 'package.json')} must be a JSON object`)
  const json = toObject(parsed)
  const names = [json.dependencies, json.devDependencies].filter(isJsonObject).flatMap(Object.keys)
  const packages = new Set(names)
  const python = await Promise.all(PYTHON_FILES.map(read))
  const usesPytest =
    files.has('pytest.ini') ||
    files.has('conftest.py') ||
    python.some((text) => /\bpytest\b/.test(text))
  const project = {
    packages,
    hasPackageJson: packageText !== '',
    isModule: json.type === 'module',
    isTypeScript: packages.has('typescript') || files.has('tsconfig.json'),
    usesPytest,
    files,
  }
  return { project, packageText }
}

/** Returns package.json with the scripts that it does not have; undefined if it has all. */
function addScripts(
  packageText: string,
  starters: readonly Starter[],
): { readonly text: string; readonly scripts: readonly string[] } | undefined {
  const json = parseIfJson(packageText)
  if (!isJsonObject(json)) return undefined
  const known = toObject(json.scripts)
  const added = Object.fromEntries(
    starters.flatMap(({ script }) => (script === undefined || script[0] in known ? [] : [script])),
  )
  const scripts = Object.entries(added).map(([name, command]) => `"${name}": "${command}"`)
  if (scripts.length === 0) return undefined
  const [, space = '  '] = /^([ \t]+)"/m.exec(packageText) ?? []
  const text = JSON.stringify({ ...json, scripts: { ...known, ...added } }, undefined, space)
  return { text: `${text}\n`, scripts }
}

/** @throws OptionsInvalid if it can't be written, or if the file has come meanwhile */
async function write(folder: string, file: string, text: string): Promise<void> {
  const path = join(folder, file)
  try {
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, text, { flag: file === 'package.json' ? 'w' : 'wx' })
  } catch (error) {
    throw new OptionsInvalid(`${path} can't be written: ${asError(error).message}`)
  }
}
