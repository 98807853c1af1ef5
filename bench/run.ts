import { spawnSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { cpus, tmpdir, totalmem } from 'node:os'
import { join } from 'node:path'

import { startClient } from './clients/client.js'
import { runFairness } from './fairness/run-fairness.js'
import { CAN_PIN } from './servers/pin-to-core.js'
import { benchSize } from './throughput/bench-size.js'
import { measureMemory } from './throughput/memory.js'
import released from './throughput/released.json' with { type: 'json' }
import { formatColdStartReport, formatLimitsReport, formatSizeReport } from './throughput/report.js'
import { parseSettings } from './throughput/settings.js'
import { measureColdStarts, measureParsingStarts } from './throughput/starts.js'
import { createData } from './workloads/data.js'

const settings = parseSettings(process.argv.slice(2))
const folder = await mkdtemp(join(tmpdir(), 'materials-mock-bench-'))
try {
  const processors = cpus()
  const { model = 'an unknown processor' } = { ...processors[0] }
  console.log(
    `${new Date().toISOString().slice(0, 10)}, ${describeCommit()}, Node ${process.version}, ${processors.length} × ${model}, ` +
      `${Math.round(totalmem() / 2 ** 30)} GB, ${CAN_PIN ? 'pinned' : 'not pinned'} to cores\n`,
  )
  await (settings.fairness ? measureFairness() : measureSpeed())
} finally {
  await rm(folder, { recursive: true, force: true })
}

/** Returns the commit that is measured, if there is a repository. */
function describeCommit(): string {
  const { stdout } = spawnSync('git', ['describe', '--always', '--dirty'], { encoding: 'utf8' })
  return stdout ? `commit ${stdout.trim()}` : 'no commit'
}

async function measureFairness(): Promise<void> {
  for (const count of settings.sizes) {
    const data = await createData(join(folder, String(count)), count)
    console.log(await runFairness(data, settings))
    await rm(join(folder, String(count)), { recursive: true })
  }
}

async function measureSpeed(): Promise<void> {
  const client = startClient()
  try {
    console.log(formatColdStartReport(await measureColdStarts(folder, settings.starts)))
    for (const count of settings.sizes) {
      const result = await benchSize(join(folder, String(count)), count, client, settings)
      console.log(formatSizeReport(result, released))
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
  }
}
