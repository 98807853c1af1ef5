import { mkdtemp, rm } from 'node:fs/promises'
import { cpus, tmpdir, totalmem } from 'node:os'
import { join } from 'node:path'

import { benchSize } from './bench-size.js'
import { startClient } from './client.js'
import { parseExtent } from './flags.js'
import { measureMemory } from './memory.js'
import { canPin } from './pinned.js'
import { coldStartReport, limitsReport, sizeReport } from './report.js'
import { measureColdStarts, measureParsingStarts } from './starts.js'

const extent = parseExtent(process.argv.slice(2))
const folder = await mkdtemp(join(tmpdir(), 'materials-mock-bench-'))
const client = startClient()
try {
  const { model = 'an unknown processor', length } = { ...cpus()[0], length: cpus().length }
  console.log(
    `${new Date().toISOString().slice(0, 10)}, Node ${process.version}, ${length} × ${model}, ` +
      `${Math.round(totalmem() / 2 ** 30)} GB, ${canPin ? 'pinned' : 'not pinned'} to cores\n`,
  )
  console.log(coldStartReport(await measureColdStarts(folder, extent.starts)))
  for (const count of extent.sizes) {
    const result = await benchSize(join(folder, String(count)), count, client, extent)
    console.log(sizeReport(result))
    const { data } = result
    if (data.database !== undefined) {
      console.log(
        limitsReport(
          count,
          await measureParsingStarts(data, extent.starts),
          await measureMemory(data),
        ),
      )
    }
    await rm(join(folder, String(count)), { recursive: true })
  }
} finally {
  client.stop()
  await rm(folder, { recursive: true, force: true })
}
