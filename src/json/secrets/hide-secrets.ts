/** What stands in the place of a secret. */
export const HIDDEN = '***'

/** The length from which a secret is replaced within a longer text. A shorter one may be a word. */
const MIN_PART_LENGTH = 8

/** Returns a function that replaces secrets in texts. */
export function createSecretFilter(secrets: readonly string[]): (text: string) => string {
  const long = secrets.filter((secret) => secret.length >= MIN_PART_LENGTH)
  return (text) =>
    secrets.includes(text)
      ? HIDDEN
      : long.reduce((hidden, secret) => hidden.replaceAll(secret, HIDDEN), text)
}
