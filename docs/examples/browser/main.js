import { startMock } from 'materials-mock/browser'
import fixtures from 'materials-mock/browser/fixtures'
import { createClient } from 'materials-mock/client'

const mock = await startMock({ fixtures })
const client = createClient({ url: mock.url, fetch: mock.fetch })
await client.login('demo', 'demo')

const found = await client.materials.list({ formula: 'Si' }, { sort: { name: 1 } })
document.querySelector('#materials').append(
  ...found.map(({ name }) =>
    Object.assign(document.createElement('li'), {
      textContent: name,
    }),
  ),
)
