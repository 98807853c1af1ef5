interface Parameter {
  readonly schema?: { contentMediaType?: string; contentSchema?: unknown }
}

/** The parts of an OpenAPI document that have parameters. */
interface Document {
  readonly paths: Readonly<
    Record<string, Readonly<Record<string, { readonly parameters?: readonly Parameter[] }>>>
  >
}

/**
 * A plugin of Swagger UI, which takes a parameter whose text has a media type for a file to upload.
 * This leaves the text alone, so that `query` and `projection` are lines to write in.
 */
export const showTexts = (): object => ({
  statePlugins: {
    spec: {
      wrapActions: {
        updateJsonSpec: (update: (document: Document) => unknown) => (document: Document) => {
          for (const { parameters = [] } of listOperations(document)) {
            for (const { schema } of parameters) {
              delete schema?.contentMediaType
              delete schema?.contentSchema
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
