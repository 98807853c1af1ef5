import { BodyInvalid, BoundExceeded, ProjectionInvalid, QueryInvalid } from '../errors.js'
import type { Json } from './json.js'

/**
 * Where in a parameter or a body something stands, for messages: `query.$or[1].formula.$in`. What is
 * wrong there becomes QueryInvalid in a query, BodyInvalid in a body, else ProjectionInvalid.
 */
export class Place {
  readonly #text: string
  readonly #parameter: string

  constructor(parameter: string, text: string = parameter) {
    this.#parameter = parameter
    this.#text = text
  }

  /** The place of a field or operator in the object here, or of an entry in the list here. */
  at(key: string | number): Place {
    const step = typeof key === 'number' ? `[${key}]` : `.${key === '' ? '""' : key}`
    return new Place(this.#parameter, this.#text + step)
  }

  /** The error for what is wrong here; `message` continues the place's name: `must be a list`. */
  invalid(message: string): Error {
    const text = `${this.#text} ${message}`
    if (this.#parameter === 'query') return new QueryInvalid(text)
    return this.#parameter === 'body' ? new BodyInvalid(text) : new ProjectionInvalid(text)
  }

  /** The error for a bound that is passed here. */
  exceeds(message: string): Error {
    return new BoundExceeded(`${this.#text} ${message}`)
  }
}

/** A value as a message quotes it: its JSON, cut after 60 characters. */
export function quote(value: Json): string {
  const text = JSON.stringify(value)
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}
