/** The base URL of the platform's API, and the two credential headers. */
export interface Connection {
  readonly base: string
  readonly headers: Readonly<Record<string, string>>
}

/** Returns the names of the materials with a formula. Retries once if the platform is busy. */
export async function fetchNames(
  formula: string,
  { base, headers }: Connection,
): Promise<string[]> {
  const parameters = new URLSearchParams({
    query: JSON.stringify({ formula }),
    projection: JSON.stringify({ sort: { name: 1 }, fields: { name: 1 } }),
  })
  const send = () => fetch(`${base}/materials?${parameters}`, { headers })
  let response = await send()
  if (response.status === 503) response = await send()
  const { message, data } = (await response.json()) as {
    message?: string
    data: { name: string }[]
  }
  if (!response.ok) throw new Error(message)
  return data.map(({ name }) => name)
}
