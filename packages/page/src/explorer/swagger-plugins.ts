import { valueAt } from '@materials-mock/json'
import type { JsonObject } from '@materials-mock/json'

interface React {
  createElement(type: unknown, attributes: object | null, ...children: unknown[]): unknown
}

/** Makes a component from a component of Swagger UI. */
type Wrap = (
  original: unknown,
  system: { readonly React: React },
) => (attributes: {
  readonly text?: unknown
  readonly className?: string
  readonly description?: string
}) => unknown

/** Makes a component with a hidden element before the component of Swagger UI. */
const precede =
  (frame: string, name: string, attributes: object, text: string): Wrap =>
  (original, { React: { createElement } }) =>
  (own) =>
    createElement(
      frame,
      null,
      createElement(name, { ...attributes, className: 'visually-hidden' }, text),
      createElement(original, own),
    )

/** Makes a component that is a section with a name. */
const section =
  (name: string): Wrap =>
  (original, { React }) =>
  (own) =>
    React.createElement('section', { 'aria-label': name }, React.createElement(original, own))

/** Makes a text area. The text area of a body has a name. */
const nameBody: Wrap =
  (original, { React }) =>
  (own) => {
    const isBody = own.className?.includes('body-param__text') === true
    return React.createElement(original, isBody ? { ...own, 'aria-label': 'Request body' } : own)
  }

/** Makes a choice between true and false with the description of its parameter as its name. */
const nameBoolean: Wrap = (original, system) => (own) =>
  precede('label', 'span', {}, own.description ?? 'Value')(original, system)(own)

/** Makes nothing in the place of a component. */
const leaveOut: Wrap = () => () => null

/** Makes a text of a link, without the link. */
const unlink: Wrap =
  (_original, { React }) =>
  ({ text }) =>
    React.createElement('span', null, text)

/** Swagger UI takes a parameter whose text has a media type for a file to upload. */
export const nameControls = (): object => ({
  wrapComponents: {
    InfoContainer: section('The document'),
    ServersContainer: section('The server'),
    // The header of the page logs in.
    AuthorizeBtnContainer: leaveOut,
    authorizeOperationBtn: leaveOut,
    Servers: precede('div', 'label', { htmlFor: 'servers' }, 'Server'),
    ExamplesSelect: precede('label', 'span', {}, 'Example'),
    operations: precede('div', 'h2', {}, 'Operations'),
    CloseIcon: precede('span', 'span', {}, 'Close'),
    TextArea: nameBody,
    JsonSchema_boolean: nameBoolean,
    DeepLink: unlink,
  },
})

/**
 * A plugin of Swagger UI, which takes a parameter whose text has a media type for a file to upload. This
 * leaves the text alone, so that `query` and `projection` are lines to write in.
 */
export const showParametersAsText = (): object => ({
  statePlugins: {
    spec: {
      wrapActions: {
        updateJsonSpec: (update: (document: unknown) => unknown) => (document: unknown) =>
          update(JSON.parse(JSON.stringify(document, dropContent))),
      },
    },
  },
})

/** Leaves out what the schema of a text says about its content. */
const dropContent = (key: string, value: unknown): unknown =>
  key === 'contentMediaType' || key === 'contentSchema' ? undefined : value

/**
 * Within the document. Swagger UI's own resolver takes seconds, as it reads the whole each time.
 */
export const resolveLocally = (): object => ({
  fn: {
    resolveSubtree: async (document: JsonObject, path: readonly string[]) => ({
      spec: resolveReferences(document, valueAt(document, path), []),
      errors: [],
    }),
  },
})

/** @param open the references that the value is within; one of these again stays */
function resolveReferences(document: JsonObject, value: unknown, open: readonly string[]): unknown {
  if (Array.isArray(value))
    return value.map((each: unknown) => resolveReferences(document, each, open))
  if (typeof value !== 'object' || value === null) return value
  const { $ref: reference, ...others } = value as { $ref?: unknown }
  if (typeof reference === 'string' && reference.startsWith('#/') && !open.includes(reference)) {
    const path = reference.slice(2).split('/')
    const target = resolveReferences(document, valueAt(document, path), [...open, reference])
    return { ...(target as object), ...others }
  }
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key, resolveReferences(document, each, open)]),
  )
}
