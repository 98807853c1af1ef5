/** The views of the page. */
export const VIEWS = ['data', 'requests', 'switches'] as const
export type View = (typeof VIEWS)[number]

/** The state that all views share. An empty text means that a part is not set. */
export interface FrameState {
  readonly view: View
  /** The account whose view of the data is shown. */
  readonly as: string
  /** The name of the sandbox that the page shows. */
  readonly sandbox: string
  /** The name of the scenario that the sandbox has been given. */
  readonly scenario: string
}

/** The state of the data: the list of a resource, and the item beside it. */
export interface DataState {
  readonly resource: string
  /** A word or a formula. */
  readonly search: string
  /** JSON, as typed. */
  readonly query: string
  readonly sort: string
  /** `reversed` while the sorted list is read from its end. */
  readonly order: string
  readonly fields: string
  /** The paths of the chosen columns, with commas between them. */
  readonly columns: string
  /** `query` while the inputs for JSON and the request are shown. */
  readonly panel: string
  /** The language that the request is shown in. */
  readonly code: string
  /** The number of the page of the list, from 1. */
  readonly page: string
  /** The number of items of a page. */
  readonly size: string
  /** The `_id` of the open item. */
  readonly item: string
  /** The name of the open tab of the item. */
  readonly tab: string
  /** The settings of the structure's view, as JSON. */
  readonly structure: string
  /** The pose of the structure: how it is turned, enlarged and moved. */
  readonly pose: string
  /** The kinds of bonds that differ from their first setting: `Sr-Ti,Ti-O`. */
  readonly bonds: string
  /** `all` while all atoms of a long basis are listed. */
  readonly atoms: string
  /** The opened nodes of its JSON. */
  readonly open: string
}

/** The state of the requests. */
export interface RequestsState {
  /** A query of the journal: JSON, as typed. */
  readonly filter: string
  /** The `_id` of the newest request of a paused list, or `0` if the list was empty. */
  readonly paused: string
  /** The `_id` of the open request, and of the request with which it is compared. */
  readonly request: string
  readonly compare: string
  /** The name of the open tab of the request. */
  readonly part: string
  /** `shown` while the footprint stands in place of the requests. */
  readonly footprint: string
}

/** The whole state in the address. */
export type PageState = FrameState & DataState & RequestsState

export const DEFAULT_FRAME: FrameState = { view: 'data', as: '', sandbox: '', scenario: '' }

export const DEFAULT_DATA: DataState = {
  resource: '',
  search: '',
  query: '',
  sort: '',
  order: '',
  fields: '',
  columns: '',
  panel: '',
  code: '',
  page: '',
  size: '',
  item: '',
  tab: '',
  structure: '',
  pose: '',
  bonds: '',
  atoms: '',
  open: '',
}

export const DEFAULT_REQUESTS: RequestsState = {
  filter: '',
  paused: '',
  request: '',
  compare: '',
  part: '',
  footprint: '',
}

/** The state of an address without parameters. */
export const DEFAULT_STATE: PageState = {
  ...DEFAULT_FRAME,
  ...DEFAULT_DATA,
  ...DEFAULT_REQUESTS,
}

/** Returns the change that leads to a resource, or to an item of it. It clears the state of the previous list. */
export function toResource(resource: string, item = ''): Partial<PageState> {
  const { search, query, sort, order, fields, columns, page, tab } = DEFAULT_STATE
  return { search, query, sort, order, fields, columns, page, tab, resource, item, view: 'data' }
}

/** Returns a state after a change. Another item gets the first settings. */
export function applyChange(state: PageState, change: Partial<PageState>): PageState {
  const { pose, bonds, atoms, open } = DEFAULT_STATE
  const isSame = change.item === undefined || change.item === state.item
  return { ...state, ...(isSame ? {} : { pose, bonds, atoms, open }), ...change }
}

/** Returns the part of a state that has the keys of another state. */
export const pick = <Part extends object>(state: Part, keys: Part): Part =>
  Object.fromEntries(Object.keys(keys).map((key) => [key, state[key as keyof Part]])) as Part

/** Parses the part of an address from the `?` on. Unknown parameters are ignored. */
export function parsePageState(search: string): PageState {
  const state: Record<string, string> = { ...DEFAULT_STATE }
  for (const [name, value] of new URLSearchParams(search))
    if (Object.hasOwn(DEFAULT_STATE, name)) state[name] = value
  const view = VIEWS.find((each) => each === state.view) ?? DEFAULT_STATE.view
  // In the path of a request, these would lead out of the sandboxes.
  if (state.sandbox === '.' || state.sandbox === '..') state.sandbox = ''
  return { ...(state as unknown as PageState), view }
}

/** The characters that need no encoding in an address: `,`, `:`, `/` and `$`. */
const READABLE = /%(?:2C|3A|2F|24)/g

/** Returns the address of a state: `/`, with a parameter for each part that is not the default. */
export function toAddress(state: PageState): string {
  const parameters = new URLSearchParams(
    Object.entries(state).filter(
      ([name, value]) => value !== DEFAULT_STATE[name as keyof PageState],
    ),
  )
  return parameters.size === 0
    ? '/'
    : `/?${String(parameters).replaceAll(READABLE, decodeURIComponent)}`
}
