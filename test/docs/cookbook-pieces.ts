import { readFileSync } from 'node:fs'

export interface Piece {
  /** The heading above it. */
  readonly title: string
  readonly code: string
}

/** Returns the pieces of docs/cookbook.md in a language. The first one of TypeScript starts all others of it. */
export function readPieces(language: 'sh' | 'ts'): Piece[] {
  const page = readFileSync(new URL('../../docs/cookbook.md', import.meta.url), 'utf8')
  return page.split(/^#+ /m).flatMap((section) => {
    const [title = ''] = section.split('\n')
    const blocks = section.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\``, 'gms'))
    return [...blocks].map(([, code = '']) => ({ title, code }))
  })
}
