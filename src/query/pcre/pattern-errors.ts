/**
 * The error for a pattern that PCRE2 rejects, or that has no exact equivalent in JavaScript. The
 * message is a predicate of the pattern: `has an unclosed [`.
 */
export class UnsupportedPatternError extends Error {}

/** The error for a pattern that exceeds a limit. The message is a predicate too: `must have …`. */
export class PatternLimitError extends Error {}
