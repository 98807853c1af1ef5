import { SnapshotNotFound, buildApp, startMock } from 'materials-mock'
import type { Account, Fault, FaultRule, Json, Material, Mock, Projection } from 'materials-mock'
import { close } from './commonjs.cjs'

const account: Account = { _id: 'ann', username: 'ann', password: 'secret' }
const projection: Projection = { sort: { name: 1 }, limit: 2 }
const fault: Fault = { status: 503, delay: { min: 1, max: 2 } }
// @ts-expect-error a status is a number
const wrongFault: Fault = { status: '503' }
// @ts-expect-error there is no such option
void buildApp({ prot: 4000 })
// @ts-expect-error a schema is no export
void import('materials-mock').then((exports) => exports.Account)

export async function use(): Promise<Json> {
  const mock: Mock = await startMock({ fixtures: { accounts: [account] } })
  const rule: FaultRule = mock.faults.add(fault)
  const [request] = await mock.requests({ status: 503 }, projection)
  // One kind of modules starts what the other closes.
  await close(mock)
  console.log(rule._id, new SnapshotNotFound('x').code, wrongFault)
  return request ?? null
}

export const toName = (material: Material): Json | undefined => material['name']
