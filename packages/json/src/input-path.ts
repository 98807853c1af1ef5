import {
  BodyInvalid,
  BoundExceeded,
  FixturesInvalid,
  ProjectionInvalid,
  QueryInvalid,
} from './errors.js'

/** The input at the start of a path. It decides the class of the errors. */
export type InputName = 'query' | 'projection' | 'body' | 'fixtures'

const ERRORS = {
  query: QueryInvalid,
  projection: ProjectionInvalid,
  body: BodyInvalid,
  fixtures: FixturesInvalid,
}

/** A path into a request's input, for messages: `query.$or[1].formula.$in`. */
export class InputPath {
  readonly #input: InputName
  readonly #text: string
  readonly #first: number

  /** @param first the number that the entries of this array are counted from */
  constructor(input: InputName, text: string = input, first = 0) {
    this.#input = input
    this.#text = text
    this.#first = first
  }

  /** Returns the path of an array of which only the entries from a number on are read. */
  from(first: number): InputPath {
    return new InputPath(this.#input, this.#text, first)
  }

  /** Returns the path of a field or an operator of this object, or of an entry of this array. */
  child(key: string | number): InputPath {
    const step = typeof key === 'number' ? `[${this.#first + key}]` : `.${key === '' ? '""' : key}`
    return new InputPath(this.#input, this.#text + step)
  }

  /** Returns the error of the input, such as a QueryInvalid, with the path and a message. */
  error(message: string): Error {
    return new ERRORS[this.#input](`${this.#text} ${message}`)
  }

  /** Returns a BoundExceeded with the path and a message. */
  limitError(message: string): Error {
    return new BoundExceeded(`${this.#text} ${message}`)
  }
}
