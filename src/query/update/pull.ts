import { isJsonObject } from '../../json/json.js'
import type { Json } from '../../json/json.js'
import { quote } from '../../json/quote.js'
import type { InputPath } from '../../json/input-path.js'
import { equalValues } from '../values/compare-values.js'
import { parseElemMatch } from '../selector/parse-selector.js'
import { compileExpressions } from '../selector/operators.js'
import { checkCondition } from './stored-value-rules.js'
import type { Modifier } from './update-path.js'

/**
 * `$pull`: takes out the entries that meet a condition. An object of operators judges each entry, any
 * other object is a query that entries which are objects have to meet, any other value is what
 * entries have to equal (https://www.mongodb.com/docs/manual/reference/operator/update/pull/).
 */
export function pull(operand: Json, place: InputPath): Modifier {
  const isPulled = compileCondition(operand, place)
  return {
    creates: false,
    change: (value) => {
      if (!Array.isArray(value))
        throw place.error(`must be of a field that is a list, not ${quote(value ?? null)}`)

      const kept = value.filter((entry: Json) => !isPulled(entry))
      return kept.length === value.length ? value : kept
    },
  }
}

function compileCondition(operand: Json, place: InputPath): (entry: Json) => boolean {
  checkCondition(operand, place)
  if (!isJsonObject(operand)) return (entry) => equalValues(entry, operand)
  const { elements, expressions } = parseElemMatch(operand, place)
  const matches = compileExpressions(expressions, 'objects')
  if (elements === 'objects') return (entry) => isJsonObject(entry) && matches(entry)
  // Operators judge an entry as MongoDB has them do it: as a field with an empty name, whose path
  // goes into arrays.
  return (entry) => matches({ '': entry })
}
