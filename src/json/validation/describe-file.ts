import { basename } from 'node:path'
import { crc32 } from 'node:zlib'

/** Identifies a file by its name, its size and its checksum. */
export const describeFile = (path: string, content: Uint8Array): string =>
  `${basename(path)} ${content.length} ${crc32(content)}`
