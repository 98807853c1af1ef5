/** The resources that another resource writes to, by its name. */
const IMPLIED: Readonly<Record<string, readonly string[]>> = {
  'bank-materials': ['materials'],
  'bank-workflows': ['workflows'],
  jobs: ['properties'],
}

/** Returns the names of the resources that are served although the fixtures do not have them. */
export const findImpliedResources = (names: readonly string[]): readonly string[] =>
  names.flatMap((name) => IMPLIED[name] ?? []).filter((name) => !names.includes(name))
