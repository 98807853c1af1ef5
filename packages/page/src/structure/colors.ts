import { ELEMENTS, findAtomicNumber, findCovalentRadius } from '@materials-mock/structures'

/** As Jmol draws them, after the CPK colours (https://jmol.sourceforge.net/jscolors/). */
const COLORS = (
  'ffffff d9ffff cc80ff c2ff00 ffb5b5 909090 3050f8 ff0d0d 90e050 b3e3f5 ab5cf2 8aff00 bfa6a6 ' +
  'f0c8a0 ff8000 ffff30 1ff01f 80d1e3 8f40d4 3dff00 e6e6e6 bfc2c7 a6a6ab 8a99c7 9c7ac7 e06633 ' +
  'f090a0 50d050 c88033 7d80b0 c28f8f 668f8f bd80e3 ffa100 a62929 5cb8d1 702eb0 00ff00 94ffff ' +
  '94e0e0 73c2c9 54b5b5 3b9e9e 248f8f 0a7d8c 006985 c0c0c0 ffd98f a67573 668080 9e63b5 d47a00 ' +
  '940094 429eb0 57178f 00c900 70d4ff ffffc7 d9ffc7 c7ffc7 a3ffc7 8fffc7 61ffc7 45ffc7 30ffc7 ' +
  '1fffc7 00ff9c 00e675 00d452 00bf38 00ab24 4dc2ff 4da6ff 2194d6 267dab 266696 175487 d0d0e0 ' +
  'ffd123 b8b8d0 a6544d 575961 9e4fb5 ab5c00 754f45 428296 420066 007d00 70abfa 00baff 00a1ff ' +
  '008fff 0080ff 006bff 545cf2 785ce3 8a4fe3 a136d4 b31fd4 b31fba b30da6 bd0d87 c70066'
).split(' ')

/** Jmol's colour of an unknown element. */
const UNKNOWN_COLOR = 'ff1493'

/** Returns the colour of an element as `#rrggbb`; pink for an unknown symbol. */
export const findElementColor = (symbol: string): string =>
  `#${(ELEMENTS.has(symbol) ? COLORS[findAtomicNumber(symbol) - 1] : undefined) ?? UNKNOWN_COLOR}`

/** In Å. Grows with the covalent radius, and leaves room for the bonds to be seen. */
export const findBallRadius = (symbol: string): number =>
  ELEMENTS.has(symbol) ? 0.15 + 0.26 * findCovalentRadius(symbol) : 0.4

/** The colours of the page around a canvas, as `rgb(r, g, b)`. */
export interface Theme {
  /** The colour of edges and texts. */
  readonly lineColor: string
  readonly background: string
}
