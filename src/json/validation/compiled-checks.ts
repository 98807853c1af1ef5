/** Whether a value is valid against a schema. */
export type Check = (value: unknown) => boolean

/**
 * The checks of schemas by their `$id`, which the bundler has compiled, as compiling them takes a tenth
 * of a start. There are none here: `scripts/plugins/validated.ts` puts its module in the place of this one.
 */
export const COMPILED_CHECKS: Readonly<Record<string, Check>> = {}
