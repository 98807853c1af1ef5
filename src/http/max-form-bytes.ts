/**
 * The largest form-encoded body, in bytes. It is parsed in one step: 1 MB of short fields took 300 ms.
 */
export const MAX_FORM_BYTES = 16 * 1024
