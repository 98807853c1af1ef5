const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '\n': '&#10;',
  '\t': '&#9;',
  '\r': '&#13;',
}

/** The characters that XML 1.0 does not have (section 2.2). */
// oxlint-disable-next-line no-control-regex -- these are the characters in question
const NOT_XML = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]|\p{Surrogate}/gu

/** Escapes text for an attribute or an element of HTML or XML. */
export const escapeMarkup = (text: string): string =>
  text
    .replace(NOT_XML, '\ufffd')
    .replace(/[&<>"'\n\t\r]/g, (character) => ENTITIES[character] ?? '')
