import { buildApp, startMock } from 'materials-mock'
import type { Mock } from 'materials-mock'

export const close = (mock: Mock): Promise<void> => mock.close()
export const start = async (): Promise<number> => {
  const app = await buildApp()
  const { statusCode } = await app.inject('/')
  await close(await startMock())
  return statusCode
}
