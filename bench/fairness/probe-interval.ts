/** The pause of the other client between a response and its next request, in ms. */
export const PROBE_INTERVAL = 5
