import { mkdtemp, rm } from 'node:fs/promises'
import { cpus, tmpdir, totalmem } from 'node:os'
import { join } from 'node:path'

import { benchSize } from './bench-size.js'
import { startClient } from './client.js'
import { measureMemory } from './memory.js'
import { CAN_PIN } from './pin-to-core.js'
import { formatColdStartReport, formatLimitsReport, formatSizeReport } from './report.js'
import { parseSettings } from './settings.js'
import { measureColdStarts, measureParsingStarts } from './starts.js'

const settings = parseSettings(process.argv.slice(2))
const folder = await mkdtemp(join(tmpdir(), 'materials-mock-bench-'))
const client = startClient()
try {
  const processors = cpus()
  const { model = 'an unknown processor' } = { ...processors[0] }
  console.log(
    `${new Date().toISOString().slice(0, 10)}, Node ${process.version}, ${processors.length} × ${model}, ` +
      `${Math.round(totalmem() / 2 ** 30)} GB, ${CAN_PIN ? 'pinned' : 'not pinned'} to cores\n`,
  )
  console.log(formatColdStartReport(await measureColdStarts(folder, settings.starts)))
  for (const count of settings.sizes) {
    const result = await benchSize(join(folder, String(count)), count, client, settings)
    console.log(formatSizeReport(result))
    const { data } = result
    if (data.database !== undefined) {
      console.log(
        formatLimitsReport(
          count,
          await measureParsingStarts(data, settings.starts),
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
