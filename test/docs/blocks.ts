import { readFileSync, readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** A fenced block of a page. */
export interface Block {
  /** The path of the page from the root. */
  readonly page: string
  readonly line: number
  readonly language: string
  /** The text between the fences, without the indentation of a list. */
  readonly code: string
  /** The example file that the line above links and the block shows. */
  readonly shows?: string
  /** The block above, if nothing but an empty line is between. */
  readonly follows?: Block
}

/** The pages whose blocks a reader runs, or compares with what is printed. */
export const PAGES_WITH_BLOCKS = [
  'README.md',
  ...listFolder('docs').filter((path) => path.endsWith('.md')),
  ...listFolder('packages').map((path) => `${path}/README.md`),
]

/** Returns the blocks of a page, or of a text in its place. */
export function readBlocks(page: string, text = readFileSync(ROOT + page, 'utf8')): Block[] {
  const blocks: Block[] = []
  let end = 0
  for (const found of text.matchAll(/^( *)```(\w*)\n(.*?)^ *```$/gms)) {
    const [all, indentation = '', language = '', code = ''] = found
    const above = text.slice(end, found.index)
    const shows = /^\[[^\]]+\]\((examples\/[^)]+)\):\n\n$/m.exec(above)?.[1]
    const previous = above === '\n\n' ? blocks.at(-1) : undefined
    blocks.push({
      page,
      line: text.slice(0, found.index).split('\n').length,
      language,
      code: code.replaceAll(new RegExp(`^${indentation}`, 'gm'), ''),
      ...(shows !== undefined && { shows }),
      ...(previous && { follows: previous }),
    })
    end = found.index + all.length
  }
  return blocks
}

/** Returns the block of a page that starts with a text. */
export function findBlock(page: string, start: string): Block {
  const block = readBlocks(page).find(({ code }) => code.startsWith(start))
  if (block === undefined) throw new Error(`${page} has no block that starts with ${start}`)
  return block
}

/** Tells whether a block has commands that ask a server. */
export const asksServer = ({ language, code }: Block): boolean =>
  language === 'sh' && code.includes('curl')

/** Returns the paths of the files and folders in a folder of the root. */
function listFolder(folder: string): string[] {
  return readdirSync(ROOT + folder).map((name) => `${folder}/${name}`)
}
