/** Where the platform is, and the two credential headers. */
export interface Connection {
  readonly base: string
  readonly headers: Readonly<Record<string, string>>
}

/** The names of the materials with a formula. Asks once more where the platform is busy. */
export async function namesOf(formula: string, { base, headers }: Connection): Promise<string[]> {
  const parameters = new URLSearchParams({
    query: JSON.stringify({ formula }),
    projection: JSON.stringify({ sort: { name: 1 }, fields: { name: 1 } }),
  })
  const ask = () => fetch(`${base}/materials?${parameters}`, { headers })
  let response = await ask()
  if (response.status === 503) response = await ask()
  const { message, data } = (await response.json()) as {
    message?: string
    data: { name: string }[]
  }
  if (!response.ok) throw new Error(message)
  return data.map(({ name }) => name)
}
