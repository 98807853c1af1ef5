const MOCK = 'http://127.0.0.1:4000'

/** A loader: gives a story a sandbox of its own, in the state of its scenario, and returns the URL of its API. */
export async function loadMock({ id, parameters }) {
  const control = `${MOCK}/__admin/sandboxes/${id}`
  const sandbox = await fetch(control, { method: 'PUT' })
  const { url } = (await sandbox.json()).data
  if (parameters.scenario !== undefined) {
    const name = encodeURIComponent(parameters.scenario)
    const scenario = await fetch(`${url}/__admin/scenarios/${name}`, { method: 'POST' })
    if (!scenario.ok) throw new Error((await scenario.json()).message)
  }
  return { api: `${url}/api/2018-10-01` }
}
