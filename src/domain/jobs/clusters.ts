import type { Cluster } from './cluster.js'

/**
 * The clusters that a job can name. They run nothing: the mock makes its results up. A job that names
 * none gets the first one.
 */
export const CLUSTERS: readonly Cluster[] = [
  {
    hostname: 'cluster-001.example.com',
    displayName: 'cluster-001',
    queues: [{ NAME: 'D' }, { NAME: 'OR' }, { NAME: 'OR4' }, { NAME: 'SR' }],
  },
]
