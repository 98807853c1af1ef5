/** Returns a path as a query names it: without the indexes of arrays, so that any element matches. */
export const toQueryPath = (path: readonly string[]): string =>
  path.filter((step, index) => index === 0 || !/^\d+$/.test(step)).join('.')
