import { isJsonObject } from '../schemas/json.js'
import type { Json } from '../schemas/json.js'
import { quote } from '../schemas/place.js'
import type { Place } from '../schemas/place.js'
import { equalValues } from './compare.js'
import { checkElemMatch } from './condition.js'
import { compileTerms } from './operators.js'
import { checkCondition } from './storable.js'
import type { Modifier } from './update-path.js'

/**
 * `$pull`: takes out the entries that meet a condition. An object of operators judges each entry, any
 * other object is a query that entries which are objects have to meet, any other value is what
 * entries have to equal (https://www.mongodb.com/docs/manual/reference/operator/update/pull/).
 */
export function pull(operand: Json, place: Place): Modifier {
  const isPulled = compileCondition(operand, place)
  return {
    creates: false,
    change: (value) => {
      if (!Array.isArray(value)) {
        throw place.invalid(`must be of a field that is a list, not ${quote(value ?? null)}`)
      }
      const kept = value.filter((entry: Json) => !isPulled(entry))
      return kept.length === value.length ? value : kept
    },
  }
}

function compileCondition(operand: Json, place: Place): (entry: Json) => boolean {
  checkCondition(operand, place)
  if (!isJsonObject(operand)) return (entry) => equalValues(entry, operand)
  const { elements, terms } = checkElemMatch(operand, place)
  const matches = compileTerms(terms, 'objects')
  if (elements === 'objects') return (entry) => isJsonObject(entry) && matches(entry)
  // Operators judge an entry as MongoDB has them do it: as a field with an empty name, whose path
  // goes into arrays.
  return (entry) => matches({ '': entry })
}
