import { readCharacter, readSet } from './escapes.js'
import { caseVariants, classLiteral, PatternRefused } from './part.js'
import type { Reader } from './reader.js'
import { isOfOneCase, setOf } from './sets.js'

/** A translated class: its inside, and whether it is of one case even where case does not count. */
export interface CharacterClass {
  readonly source: string
  readonly keepsCase: boolean
}

/** One thing in a class: a character, which may begin a range, or a set, which may not. */
type Item = { readonly char: string } | SetItem

interface SetItem {
  readonly set: string
  readonly negated: boolean
  readonly keepsCase: boolean
}

/** What holds for a class. */
export interface ClassRules {
  /** Whether case counts, or not, or each letter is to be spelled out in both. */
  readonly letters: 'counted' | 'ignored' | 'spelled'
  readonly unicode: boolean
}

/** Reads a class after its `[`. */
export function readClass(reader: Reader, rules: ClassRules): CharacterClass {
  const negated = reader.accept('^')
  let source = ''
  const complements: string[] = []
  let keepsCase = false
  let first = true
  let quoted = false
  for (;;) {
    if (reader.ended) throw new PatternRefused('has a [ that is not closed')
    if (quoted ? reader.accept('\\E') : reader.accept('\\Q')) {
      quoted = !quoted
      continue
    }
    if (!quoted && reader.accept('\\E')) continue
    // A bracket that comes first stands for itself.
    if (!quoted && !first && reader.accept(']')) break
    first = false
    const item = quoted ? { char: reader.take() } : readItem(reader, rules)
    if ('set' in item) {
      refuseRangeOf(reader)
      if (item.negated) complements.push(`[^${item.set}]`)
      else source += item.set
      keepsCase ||= item.keepsCase
      continue
    }
    const last = quoted ? undefined : readRangeEnd(reader, rules)
    source += rangeSource(item.char, last ?? item.char, rules)
  }
  return { source: joined(source, complements, negated), keepsCase }
}

function readItem(reader: Reader, rules: ClassRules): Item {
  const named = reader.match(/\[([:.=])(\^?)([\w<>]*)\1\]/y)
  if (named !== undefined) return posixItem(named, rules)
  if (!reader.accept('\\')) return { char: reader.take() }
  const set = readSet(reader, rules.unicode)
  if (set !== undefined) return set
  if (reader.accept('b')) return { char: '\b' }
  return { char: readCharacter(reader) }
}

function posixItem([text, kind, caret, name]: RegExpExecArray, rules: ClassRules): Item {
  const isCase = name === 'lower' || name === 'upper'
  const known = rules.letters !== 'counted' && isCase ? 'alpha' : (name as string)
  const set = kind === ':' ? setOf(known, rules.unicode) : undefined
  if (set === undefined) throw new PatternRefused(`has the unknown class ${text}`)
  return { set, negated: caret === '^', keepsCase: isOfOneCase(set) }
}

/**
 * A class, where a set in it may be a complement (`[a\S]`). JavaScript has no such thing but for the
 * flag `v`, under which V8 11 gets `(?:a[^b])+` wrong.
 */
function joined(source: string, complements: readonly string[], negated: boolean): string {
  if (!negated && complements.length > 0) return `(?:${[`[${source}]`, ...complements].join('|')})`
  const plain = `[${negated ? '^' : ''}${source}]`
  if (complements.length === 0) return plain
  return `(?:${complements.map((complement) => `(?!${complement})`).join('')}${plain})`
}

function refuseRangeOf(reader: Reader): void {
  if (reader.sees(/-(?!\])/y)) {
    throw new PatternRefused('has a range that begins with a set of characters')
  }
}

/** The last character of a range, where a hyphen follows that does not end the class. */
function readRangeEnd(reader: Reader, rules: ClassRules): string | undefined {
  if (reader.match(/-(?!\]|\\[QE]|$)/y) === undefined) return undefined
  const item = readItem(reader, rules)
  if ('char' in item) return item.char
  throw new PatternRefused('has a range that ends with a set of characters')
}

/** The most characters of a range whose variants are written out. */
const MAX_SPELLED = 1024

function rangeSource(from: string, to: string, rules: ClassRules): string {
  const [start, end] = [from.codePointAt(0) as number, to.codePointAt(0) as number]
  if (start > end) throw new PatternRefused(`has the range ${from}-${to}, which runs backwards`)
  const range = start === end ? classLiteral(from) : `${classLiteral(from)}-${classLiteral(to)}`
  if (rules.letters !== 'spelled') return range
  if (end - start > MAX_SPELLED) {
    throw new PatternRefused(
      `has the range ${from}-${to}, too long for (?i) in a part of a pattern`,
    )
  }
  let source = range
  for (let code = start; code <= end; code += 1) {
    const variants = caseVariants(String.fromCodePoint(code))
    if (variants.length > 1) source += variants.map(classLiteral).join('')
  }
  return source
}
