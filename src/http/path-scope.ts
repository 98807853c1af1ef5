/** What follows a path: nothing, a path below it, or parameters. */
const ENDS: ReadonlySet<string | undefined> = new Set([undefined, '/', '?'])

/** Whether the URL of a request, which is normalized, is that of a path or of one below it. */
export const isWithin = (url: string, path: string): boolean =>
  url.startsWith(path) && ENDS.has(url[path.length])
