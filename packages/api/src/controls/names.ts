/** The pattern of the name of a snapshot or a sandbox: a segment of paths, so neither "." nor "..". */
export const NAME_PATTERN = '^(?!\\.{1,2}$)[A-Za-z0-9._-]{1,100}$'

export const EXPECTED_NAME = 'up to 100 letters, digits, "-", "_" and ".", and not "." or ".."'
