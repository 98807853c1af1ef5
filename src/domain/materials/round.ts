/** Rounded to some decimals, half of the last one up; never -0. */
export const round = (value: number, decimals: number): number =>
  Math.round(value * 10 ** decimals) / 10 ** decimals + 0
