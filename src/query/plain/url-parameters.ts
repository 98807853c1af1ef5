/** The URL parameters of a request; an array for a repeated one. */
export type UrlParameters = Readonly<Record<string, string | readonly string[] | undefined>>
