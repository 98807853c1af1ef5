import type { Connection } from './client.js'

/** Asks every ten seconds whether a job has ended. Returns its status, and how many ms that took. */
export async function waitForJob(
  id: string,
  { base, headers }: Connection,
): Promise<{ status: string; ms: number }> {
  const start = Date.now()
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, 10_000))
    const response = await fetch(`${base}/jobs/${id}`, { headers })
    const { status } = ((await response.json()) as { data: { status: string } }).data
    if (status === 'finished' || status === 'error') return { status, ms: Date.now() - start }
  }
}
