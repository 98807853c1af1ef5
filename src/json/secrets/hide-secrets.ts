/** What stands in the place of a secret. */
export const HIDDEN = '***'

/** The length from which a secret is replaced within a longer text. A shorter one may be a word. */
const MIN_PART_LENGTH = 8

/** Returns a function that replaces secrets in texts, in whatever form they stand there. */
export function createSecretFilter(secrets: readonly string[]): (text: string) => string {
  const long = secrets.filter((secret) => secret.length >= MIN_PART_LENGTH)
  if (long.length === 0) return (text) => (secrets.includes(text) ? HIDDEN : text)
  const plain = new RegExp(toChoice(long.flatMap(listForms)), 'g')
  const encoded = new RegExp(toChoice(long.flatMap(listBase64Parts)))
  return (text) => {
    if (secrets.includes(text)) return HIDDEN
    const hidden = text.replace(plain, HIDDEN)
    return encoded.test(hidden)
      ? hidden.replace(BASE64_TEXT, (each) => (encoded.test(each) ? HIDDEN : each))
      : hidden
  }
}

/** What may be base64, also in a URL. */
const BASE64_TEXT = /(?:[\w+/-]|%2[BbFf])+(?:=|%3D){0,2}/g

const toChoice = (texts: readonly string[]): string =>
  texts.map((text) => text.replace(/\W/g, '\\$&')).join('|')

/** Returns a secret as it is, in a URL, and in hexadecimal digits. */
function listForms(secret: string): string[] {
  const hex = Buffer.from(secret).toString('hex')
  return [secret, encodeURIComponent(secret), hex, hex.toUpperCase()]
}

/**
 * Returns the part of a secret's base64 that does not depend on what is before and after it, for each of
 * the three places that it may start at (RFC 4648, section 4), in both alphabets, and in a URL.
 */
function listBase64Parts(secret: string): string[] {
  const bytes = Buffer.from(secret)
  return [0, 1, 2].flatMap((offset) => {
    const text = Buffer.concat([Buffer.alloc(offset), bytes])
    const start = Math.ceil((offset * 8) / 6)
    const end = Math.floor((text.length * 8) / 6)
    const parts = (['base64', 'base64url'] as const).map((kind) =>
      text.toString(kind).slice(start, end),
    )
    return [...parts, ...parts.map(encodeURIComponent)]
  })
}
