import type { Cluster } from '../../schemas/platform/other.js'
import { DEFAULT_CLUSTER } from './complete-job.js'

/** The clusters that a job can name. They run nothing: the mock makes its results up. */
export const CLUSTERS: readonly Cluster[] = [
  {
    hostname: DEFAULT_CLUSTER,
    displayName: 'cluster-001',
    queues: [{ NAME: 'D' }, { NAME: 'OR' }, { NAME: 'OR4' }, { NAME: 'SR' }],
  },
]
