/** The bytes before the chunks of a WebP: RIFF, a size, WEBP. */
const HEADER_LENGTH = 12

/** The bytes before the data of a chunk: a name, a size. */
const CHUNK_HEADER_LENGTH = 8

const IS_ANIMATED = 0x02
const REPLACES_PIXELS = 0x02

/**
 * Makes a moving picture of WebP stills, which runs for ever (RFC 9649, section 2.7).
 * @param duration of each still, in ms
 */
export function animateWebp(
  stills: readonly Buffer[],
  { width, height }: { width: number; height: number },
  duration: number,
): Buffer {
  const size = Buffer.concat([toUint24(width - 1), toUint24(height - 1)])
  const frames = stills.map((still) =>
    makeChunk('ANMF', [
      Buffer.alloc(6), // in the upper left corner
      size,
      toUint24(duration),
      Buffer.from([REPLACES_PIXELS]),
      findImage(still),
    ]),
  )
  const chunks = [
    makeChunk('VP8X', [Buffer.from([IS_ANIMATED, 0, 0, 0]), size]),
    makeChunk('ANIM', [Buffer.alloc(6)]),
    ...frames,
  ]
  return makeChunk('RIFF', [Buffer.from('WEBP'), ...chunks])
}

/** Returns the chunk of a still that has its pixels. */
function findImage(still: Buffer): Buffer {
  for (let start = HEADER_LENGTH; start < still.length;) {
    const name = still.toString('latin1', start, start + 4)
    const length = still.readUInt32LE(start + 4)
    const end = start + CHUNK_HEADER_LENGTH + length + (length % 2)
    if (name === 'VP8 ' || name === 'VP8L') return still.subarray(start, end)
    start = end
  }
  throw new Error('the still has no pixels')
}

function makeChunk(name: string, parts: readonly Buffer[]): Buffer {
  const data = Buffer.concat(parts)
  const header = Buffer.alloc(CHUNK_HEADER_LENGTH)
  header.write(name, 'latin1')
  header.writeUInt32LE(data.length, 4)
  return Buffer.concat([header, data, Buffer.alloc(data.length % 2)])
}

function toUint24(value: number): Buffer {
  const bytes = Buffer.alloc(3)
  bytes.writeUIntLE(value, 0, 3)
  return bytes
}
