/** The names of the views. Those after the first one need the controls. */
export const VIEWS = ['data', 'requests', 'controls'] as const
type View = (typeof VIEWS)[number]
export const VIEW_TITLES = { data: 'Data', requests: 'Requests', controls: 'Controls' }

/** The state that all views share. An empty text means that a part is not set. */
export const DEFAULT_FRAME = {
  view: 'data' as View,
  /** The account whose view of the data is shown. */
  as: '',
  /** The name of the sandbox that the page shows. */
  sandbox: '',
  /** The name of the scenario that the sandbox has been given. */
  scenario: '',
}

/** The state of the data: the list of a resource, and the item beside it. */
export const DEFAULT_DATA = {
  resource: '',
  /** A word or a formula. */
  search: '',
  /** JSON, as typed. */
  query: '',
  sort: '',
  /** `reversed` while the sorted list is read from its end. */
  order: '',
  fields: '',
  /** The paths of the chosen columns, with commas between them. */
  columns: '',
  panel: '',
  code: '',
  page: '',
  size: '',
  item: '',
  tab: '',
  /** The settings of the structure's view, as JSON. */
  structure: '',
  /** The pose of the structure: how it is turned, enlarged and moved. */
  pose: '',
  /** The kinds of bonds that differ from their first setting: `Sr-Ti,Ti-O`. */
  bonds: '',
  /** `all` while all atoms of a long basis are listed. */
  atoms: '',
  /** The `_id` of the job whose bands are drawn over those of the open one. */
  compare: '',
  /** The opened nodes of its JSON. */
  open: '',
}

export const DEFAULT_REQUESTS = {
  /** A query of the journal: JSON, as typed. */
  filter: '',
  /** The `_id` of the newest request of a paused list, or `0` if the list was empty. */
  paused: '',
  request: '',
  part: '',
  /** `shown` while the footprint stands in place of the requests. */
  footprint: '',
}

export const DEFAULT_STATE = { ...DEFAULT_FRAME, ...DEFAULT_DATA, ...DEFAULT_REQUESTS }

export type PageState = Readonly<typeof DEFAULT_STATE>

/** Returns the change that leads to a resource, or to an item of it. It clears the state of the previous list. */
export function toResource(resource: string, item = ''): Partial<PageState> {
  const { search, query, sort, order, fields, columns, page, tab } = DEFAULT_STATE
  return { search, query, sort, order, fields, columns, page, tab, resource, item, view: 'data' }
}

/** Returns a state after a change. Another item gets the first settings. */
export function applyChange(state: PageState, change: Partial<PageState>): PageState {
  const { pose, bonds, atoms, compare, open } = DEFAULT_STATE
  const isSame = change.item === undefined || change.item === state.item
  return { ...state, ...(isSame ? {} : { pose, bonds, atoms, compare, open }), ...change }
}

/** Parses the part of an address from the `?` on. Unknown parameters are ignored. */
export function parsePageState(search: string): PageState {
  const state: Record<string, string> = { ...DEFAULT_STATE }
  for (const [name, value] of new URLSearchParams(search))
    if (Object.hasOwn(DEFAULT_STATE, name)) state[name] = value
  const view = VIEWS.find((each) => each === state.view) ?? DEFAULT_STATE.view
  // In the path of a request, these would lead out of the sandboxes.
  if (state.sandbox === '.' || state.sandbox === '..') state.sandbox = ''
  return { ...(state as PageState), view }
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
    ? './'
    : `./?${String(parameters).replaceAll(READABLE, decodeURIComponent)}`
}
