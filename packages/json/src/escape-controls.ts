/**
 * Escapes the control characters of a text as JSON does: `\u001b`. A terminal would obey them, and most texts have parts
 * that come from elsewhere: from a request, a fixture, a HAR or a deployment. Newlines and tabs stay.
 */
export const escapeControls = (text: string): string =>
  text.replace(/[^\P{Cc}\n\t\r]|\r(?!\n)/gu, escapeControl)

/** Escapes newlines, too, for a text that is shown in one line. */
export const escapeLine = (text: string): string => text.replace(/\p{Cc}/gu, escapeControl)

const escapeControl = (control: string): string =>
  `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`
