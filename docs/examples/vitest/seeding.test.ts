import { startMock } from 'materials-mock'
import { expect, test } from 'vitest'

test('items of which a test states only what it is about', async () => {
  const mock = await startMock()
  const { materials, jobs } = mock.seed({
    materials: [{ formula: 'Si' }, { formula: 'SrTiO3', tags: ['perovskite'] }],
    jobs: [{ name: 'Relax', status: 'finished' }],
  })
  expect(materials[0]).toMatchObject({ formula: 'Si', unitCellFormula: 'Si2', tags: [] })
  expect(jobs[0]).toMatchObject({ _material: { _id: materials[0]?._id }, status: 'finished' })
  await mock.close()
})
