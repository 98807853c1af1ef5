import type { VNode } from 'preact'

import { call } from '../api/call.js'
import { useLoad } from '../state/use-load.js'
import type { JobPartProps } from './job-results.js'

interface JobFile {
  readonly key: string
  readonly name: string
  /** In bytes. */
  readonly size: number
  readonly signedUrl: string
}

/** The files that a job has written, to open. */
export function JobFiles({ id, status }: JobPartProps): VNode | null {
  const { data: files = [] } = useLoad(
    (signal) =>
      call<JobFile[]>(`/jobs/${encodeURIComponent(id)}/files`, { signal }).catch(() => []),
    [id, status],
  )
  if (files.length === 0) return null
  return (
    <section>
      <h3>Files</h3>
      <ul>
        {files.map(({ key, name, size, signedUrl }) => (
          <li key={key}>
            <a href={signedUrl} target="_blank" rel="noreferrer">
              {name}
            </a>{' '}
            <small>{size} bytes</small>
          </li>
        ))}
      </ul>
    </section>
  )
}
