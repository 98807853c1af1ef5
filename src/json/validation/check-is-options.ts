import { OptionsInvalid } from '../../errors.js'
import { isJsonObject } from '../json.js'
import { quote } from '../quote.js'

/**
 * Checks that the options in process are an object: a test in JavaScript has no types.
 * @throws OptionsInvalid for anything else, such as the path of a folder of fixtures
 */
export function checkIsOptions(options: unknown): void {
  if (isJsonObject(options)) return
  throw new OptionsInvalid(
    `give an object of options such as {"fixtures": "test/fixtures"}, not ${quote(options)}`,
  )
}
