/**
 * The files of fixtures that the bundler has validated, each by `describeFile`: those that are shipped. There
 * are none here: `scripts/plugins/validated.ts` puts its module in the place of this one.
 */
export const VALID_FILES: ReadonlySet<string> = new Set()
