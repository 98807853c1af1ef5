/** Returns a number rounded to some decimals, with a half rounded up. Never returns -0. */
export const round = (value: number, decimals: number): number =>
  Math.round(value * 10 ** decimals) / 10 ** decimals + 0
