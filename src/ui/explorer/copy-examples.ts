interface Parameter {
  examples?: unknown
  readonly content?: { readonly 'application/json'?: { readonly examples?: unknown } }
}

/** The parts of an OpenAPI document that have examples of parameters. */
interface Document {
  readonly paths: Readonly<
    Record<string, Readonly<Record<string, { readonly parameters?: readonly Parameter[] }>>>
  >
}

/**
 * A plugin of Swagger UI, which offers a choice of a parameter's examples only if they are beside its
 * schema. OpenAPI forbids that for a parameter with JSON content. So this copies them there.
 */
export const copyExamples = (): object => ({
  statePlugins: {
    spec: {
      wrapActions: {
        updateJsonSpec: (update: (document: Document) => unknown) => (document: Document) => {
          for (const { parameters = [] } of listOperations(document)) {
            for (const parameter of parameters) {
              const { examples } = parameter.content?.['application/json'] ?? {}
              if (examples !== undefined) parameter.examples = examples
            }
          }
          return update(document)
        },
      },
    },
  },
})

const listOperations = ({ paths }: Document) =>
  Object.values(paths).flatMap((path) => Object.values(path))
