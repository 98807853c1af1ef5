import { TypeCompiler } from '@sinclair/typebox/compiler'
import type { Plugin } from 'esbuild'

import { Account } from '../../src/schemas/account.js'
import { ITEM_SCHEMAS } from '../../src/schemas/item.js'

/** The schemas that each start needs: those of what the fixtures have. */
const SCHEMAS = [...new Set([Account, ...Object.values(ITEM_SCHEMAS)])]

/** Puts the code of the schemas' checks in the place of `src/validation/compiled-checks.ts`. */
export const compiledChecks: Plugin = {
  name: 'compiled-checks',
  setup: ({ onLoad }) =>
    onLoad({ filter: /validation\/compiled-checks\.ts$/ }, () => ({
      contents: `export const COMPILED_CHECKS = {\n${SCHEMAS.map(formatCheck).join(',\n')}\n}`,
      loader: 'js',
    })),
}

/** @throws Error for a schema whose check needs more than its code */
function formatCheck(schema: (typeof SCHEMAS)[number]): string {
  const code = TypeCompiler.Code(schema)
  if (schema.$id === undefined || /\b(kind|format|hash)\(/.test(code))
    throw new Error(`the check of ${schema.$id ?? 'a schema without $id'} can't be bundled`)
  return `${JSON.stringify(schema.$id)}: (() => {\n${code}\n})()`
}
