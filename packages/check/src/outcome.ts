import type { ApiRequest } from './api-client.js'

/** A statement does not hold: an answer is not the expected one. */
export class Mismatch extends Error {
  override readonly name = 'Mismatch'

  /**
   * @param expected a value or a `Description`
   * @param request default: the last request
   */
  constructor(
    readonly expected: unknown,
    readonly actual: unknown,
    readonly request?: ApiRequest,
  ) {
    super('a statement does not hold')
  }
}

export class Lack extends Error {
  override readonly name = 'Lack'

  /**
   * @param needed what the statement needs: `two items with different numbers at one path`
   * @param found what the sample or the deployment has instead
   */
  constructor(
    readonly needed: string,
    readonly found: string,
  ) {
    super('a statement cannot be checked')
  }
}

export class NoAnswer extends Error {
  override readonly name = 'NoAnswer'
}

/** Words in the place of a value, which a report shows without quotes. */
export class Description {
  constructor(readonly text: string) {}
}

export const words = (text: string): Description => new Description(text)
