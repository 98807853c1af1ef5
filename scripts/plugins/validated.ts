import { readFileSync, readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

import { TypeCompiler } from '@sinclair/typebox/compiler'
import type { Plugin } from 'esbuild'

import { loadFixtures } from '../../src/fixtures/load-fixtures.js'
import { Account } from '../../src/store/sign-in/account.js'
import { ITEM_SCHEMAS } from '../../src/resources/item-schemas.js'
import { PlatformListQuerystring } from '../../src/query/list-querystring.js'
import { describeFile } from '../../src/json/validation/describe-file.js'

const FIXTURES = fileURLToPath(new URL('../../fixtures/', import.meta.url))

/** The schemas that a start with the first list needs. */
const SCHEMAS = [...new Set([Account, ...Object.values(ITEM_SCHEMAS), PlatformListQuerystring])]

/**
 * Does a part of the validation while it bundles: puts the code of the schemas' checks in the place of
 * `src/json/validation/compiled-checks.ts`, and the shipped fixtures, if they are valid, in that of
 * `src/json/validation/valid-files.ts`.
 */
export const validated: Plugin = {
  name: 'validated',
  setup: ({ onLoad }) => {
    onLoad({ filter: /validation\/compiled-checks\.ts$/ }, () => ({
      contents: `export const COMPILED_CHECKS = {\n${SCHEMAS.map(formatCheck).join(',\n')}\n}`,
    }))
    onLoad({ filter: /validation\/valid-files\.ts$/ }, async () => ({
      contents: `export const VALID_FILES = new Set(${JSON.stringify(await findValidFiles())})`,
    }))
  },
}

/** @throws Error for a schema whose check needs more than its code */
function formatCheck(schema: (typeof SCHEMAS)[number]): string {
  const code = TypeCompiler.Code(schema)
  if (schema.$id === undefined || /\b(kind|format|hash)\(/.test(code))
    throw new Error(`the check of ${schema.$id ?? 'a schema without $id'} can't be bundled`)
  return `${JSON.stringify(schema.$id)}: (() => {\n${code}\n})()`
}

async function findValidFiles(): Promise<string[]> {
  try {
    await loadFixtures(FIXTURES)
  } catch {
    return [] // The start says what is wrong.
  }
  return readdirSync(FIXTURES).map((name) => describeFile(name, readFileSync(FIXTURES + name)))
}
