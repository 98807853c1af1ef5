import { startMock } from 'materials-mock/browser'
import fixtures from 'materials-mock/browser/fixtures'

const { fetch } = globalThis
const starting = startMock({ fixtures })

// The mock answers the requests to its own address. All others go to the network as before.
globalThis.fetch = async (input, init) => {
  const mock = await starting
  const request = new Request(input, init)
  return request.url.startsWith(`${mock.url}/`) ? mock.fetch(request) : fetch(request)
}

/** A loader: gives a story a sandbox of its own, in the state of its scenario, and returns the URL of its API. */
export async function loadMock({ id, parameters }) {
  const mock = (await starting).sandbox(id)
  if (parameters.scenario !== undefined) mock.scenario(parameters.scenario)
  return { api: `${mock.url}/api/2018-10-01` }
}
