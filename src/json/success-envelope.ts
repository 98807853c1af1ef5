/** The texts before and after the JSON of a success's `data` (https://github.com/omniti-labs/jsend). */
export const SUCCESS_ENVELOPE = { open: '{"status":"success","data":', close: '}' } as const
