import type { VNode } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'

import type { RunDescription } from '@materials-mock/api'
import { findObjects, toObject } from '@materials-mock/json'
import { nameOf } from '../api/item.js'
import type { Item } from '../api/item.js'
import { listServed } from '../api/items.js'
import { callControl } from '../http/call-control.js'
import { send } from '../http/send.js'
import { call, hasControls } from '../session/session.js'
import { useLoad } from '../state/hooks.js'
import { adjust, dataState } from '../state/navigation.js'
import { toResource } from '../state/page-state.js'
import { versionOf } from '../state/versions.js'
import { formatDuration, formatMilliseconds, formatValue } from '../table/format-value.js'
import { Fact, FieldSection, Reference } from '../table/item-facts.js'
import { PropertyValue } from '../table/property-value.js'
import { Status } from '../table/status.js'
import { Link } from '../widgets/link.js'
import { Table } from '../widgets/table.js'
import { Failure, Notice } from '../widgets/toasts.js'
import { JobTime } from './job-time.js'
import { findRange, Plot } from './plot.js'
import { findFermiEnergy, layOver, readJobConvergence, readPlot, turnPlot } from './read-plots.js'
import type { PlotData } from './read-plots.js'
import { readUnits } from './read-units.js'
import type { UnitRun } from './read-units.js'

/** The states that a job goes through, as the page shows them. */
const STEPS = ['pre-submission', 'submitted', 'active', 'finished']

/** A job: its results, its units, its log, its files and its states. They change while the job runs. */
export function JobView({ item }: { readonly item: Item }): VNode {
  const { workflow: _workflow, statusTrack: _track, scopeTrack: _scopes, ...rest } = item
  const track = findObjects(item, 'statusTrack')
  const status = String(item.status ?? '')
  const steps = STEPS.includes(status) ? STEPS : [...STEPS.slice(0, -1), status]
  const id = item._id ?? ''
  const { data: run, error: runError } = useLoad(
    async (signal) =>
      hasControls.value ? callControl('GET /runs/:jobId', { params: { jobId: id }, signal }) : null,
    [],
    versionOf('jobs'),
    id,
  )
  const results = useLoad(
    (signal) =>
      listServed(
        'properties',
        { query: JSON.stringify({ 'source.info.jobId': id }), projection: RESULTS },
        signal,
      ),
    [status],
    versionOf('properties'),
    id,
  )
  const several = findObjects(item, '_materials')
  const materials = several.length > 0 ? several : [toObject(item._material)]
  const convergence = readJobConvergence(item, results.data)
  // All is there at once, so that nothing moves.
  const isReady = useRef(false)
  isReady.current ||=
    (run !== undefined || runError !== undefined) &&
    (results.data !== undefined || results.error !== undefined)
  return (
    <>
      <div class="item-tables">
        <dl class="summary" aria-label="The job in short">
          {status !== '' && (
            <Fact name="Status">
              <Status status={status} />
            </Fact>
          )}
          <Reference name="Material" resource="materials" items={materials} />
          <Reference name="Workflow" resource="workflows" items={[toObject(item.workflow)]} />
          <Reference name="Project" resource="projects" items={[toObject(item._project)]} />
        </dl>
        {isReady.current && (
          <>
            {findObjects(item.compute, 'errors').map(({ message }) => (
              <Notice kind="error">{formatValue(message)}</Notice>
            ))}
            <JobResults id={id} item={item} results={results.data ?? []} />
            <Failure error={results.error} />
            {convergence !== undefined && <Plot data={convergence} />}
            <UnitTimeline item={item} run={run ?? undefined} />
            <JobFiles id={id} status={status} />
            {status !== '' && (
              <section>
                <h3>States</h3>
                <ol class="steps" aria-label="States">
                  {steps.map((step) => {
                    const at = track.findLast((each) => each.status === step)?.trackedAt
                    const isReached = steps.indexOf(step) <= steps.indexOf(status)
                    return (
                      <li
                        key={step}
                        class={`${isReached ? 'reached' : ''} ${step === 'error' ? 'failed' : ''}`}
                        aria-current={step === status ? 'step' : undefined}
                      >
                        {step}
                        {typeof at === 'number' && <small>{formatMilliseconds(at)}</small>}
                      </li>
                    )
                  })}
                </ol>
              </section>
            )}
            <FieldSection item={rest} />
          </>
        )}
      </div>
      {isReady.current && run && <JobTime key={id} run={run} />}
    </>
  )
}

interface JobPartProps {
  readonly id: string
  readonly status: string
}

/** A job shows up to 200 results. */
const RESULTS = JSON.stringify({ limit: 200 })

interface JobResultsProps {
  readonly id: string
  readonly item: Item
  readonly results: readonly Item[]
}

/** The properties that a job has computed: curves as plots, other properties in a table. */
function JobResults({ id, item, results }: JobResultsProps): VNode | null {
  const comparison = useComparison(id, results)
  if (results.length === 0) {
    const isComing = ['submitted', 'active'].includes(String(item.status))
    return isComing ? (
      <p class="plot-wait muted">The results appear here when the job has finished.</p>
    ) : null
  }
  const fermi = findFermiEnergy(results)
  const plots = results.flatMap((result) => {
    const plot = readPlot(toObject(result.data), fermi)
    return plot === undefined ? [] : [{ result, plot }]
  })
  const find = (name: string) => plots.find(({ result }) => toObject(result.data).name === name)
  const [bands, density] = [find('band_structure'), find('density_of_states')]
  const isBeside = bands !== undefined && density !== undefined && comparison.plot === undefined
  const drawn = isBeside ? plots.filter((each) => each !== density) : plots
  const others = results.filter((each) => !drawn.some(({ result }) => result === each))
  return (
    <section>
      <h3 class="visually-hidden">Results</h3>
      {drawn
        .toSorted((one, other) => Number(other === bands) - Number(one === bands))
        .map((each) => (
          <Plot
            key={each.result._id}
            data={
              each === bands && comparison.plot !== undefined
                ? layOver(each.plot, comparison.plot, [formatValue(nameOf(item)), comparison.name])
                : each.plot
            }
            beside={each === bands && isBeside ? turnPlot(density.plot) : undefined}
            to={toResource('properties', each.result._id)}
          >
            {each === bands && comparison.choice}
          </Plot>
        ))}
      <Table
        rows={others.map(({ _id, data }) => [
          <Link to={toResource('properties', _id)}>{formatValue(toObject(data).name)}</Link>,
          <PropertyValue data={toObject(data)} />,
        ])}
      />
    </section>
  )
}

const BANDS = JSON.stringify({ 'data.name': 'band_structure' })
const BANDS_OF = JSON.stringify({ limit: 200, fields: { 'source.info.jobId': 1 } })

/** Lets the reader choose another job with bands, and returns its bands. */
function useComparison(
  id: string,
  results: readonly Item[],
): { readonly choice: VNode | null; readonly name: string; readonly plot?: PlotData | undefined } {
  const hasBands = results.some(({ data }) => toObject(data).name === 'band_structure')
  const { data: jobs = [] } = useLoad(
    async (signal) => {
      if (!hasBands) return []
      const found = await listServed('properties', { query: BANDS, projection: BANDS_OF }, signal)
      const ids = found.map(({ source }) => toObject(toObject(source).info).jobId)
      const query = JSON.stringify({ _id: { $in: ids.filter((each) => each !== id) } })
      return listServed('jobs', { query, projection: JOB_NAMES }, signal)
    },
    [hasBands],
    versionOf('properties'),
    id,
  )
  const { compare } = dataState.value
  const { data: others = [] } = useLoad(
    async (signal) => {
      const query = JSON.stringify({ 'source.info.jobId': compare })
      return compare === '' ? [] : listServed('properties', { query, projection: RESULTS }, signal)
    },
    [],
    versionOf('properties'),
    compare,
  )
  const bands = others.find(({ data }) => toObject(data).name === 'band_structure')
  const choice =
    jobs.length === 0 ? null : (
      <select
        class="small compare"
        aria-label="Lay the bands of another job over these"
        value={compare}
        onChange={({ currentTarget }) => adjust({ compare: currentTarget.value })}
      >
        <option value="">Compare with…</option>
        {jobs.map((job) => (
          <option key={job._id} value={job._id}>
            {formatValue(nameOf(job))}
          </option>
        ))}
      </select>
    )
  const name = formatValue(nameOf(jobs.find(({ _id }) => _id === compare) ?? {}))
  return { choice, name, plot: bands && readPlot(toObject(bands.data), findFermiEnergy(others)) }
}

const JOB_NAMES = JSON.stringify({ limit: 200, fields: { name: 1 }, sort: { createdAt: -1 } })

interface JobFile {
  readonly key: string
  readonly name: string
  readonly size: number
  readonly signedUrl: string
}

/** The time after which the files of an active job load again, in ms: no event tells that they grow. */
const FILES_INTERVAL = 1000

/** The end of the log of a job, and the files that it has written. They grow while the job is active. */
function JobFiles({ id, status }: JobPartProps): VNode | null {
  const [count, setCount] = useState(0)
  const {
    data: files = [],
    error,
    isLoading,
  } = useLoad(
    (signal) => call<JobFile[]>(`/jobs/${encodeURIComponent(id)}/files`, { signal }),
    [],
    `${versionOf('jobs')} ${versionOf('clock')} ${count}`,
    id,
  )
  useEffect(() => {
    if (status !== 'active' || isLoading) return undefined
    const timer = setTimeout(() => setCount((each) => each + 1), FILES_INTERVAL)
    return () => clearTimeout(timer)
  }, [status, isLoading])
  const log = files.find(({ name }) => name === 'job.log')
  if (files.length === 0) return <Failure error={error} />
  return (
    <>
      {log !== undefined && <JobLog file={log} />}
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
    </>
  )
}

/** The number of lines at the end of a log that are shown at first. */
const TAIL = 8

const MAX_LOG = 1_000_000

function JobLog({ file: { signedUrl, size } }: { readonly file: JobFile }): VNode | null {
  const [isWhole, showWhole] = useState(false)
  const { data: text = '', error } = useLoad(
    async (signal) => (size > MAX_LOG ? '' : send<string>(signedUrl, { signal, isText: true })),
    [signedUrl, size],
  )
  const lines = text.trimEnd().split('\n')
  if (text === '') return <Failure error={error} />
  return (
    <section>
      <h3>
        Log <small>job.log</small>
      </h3>
      <pre class="job-log" role="log" aria-label="The end of job.log" tabIndex={0}>
        {(isWhole ? lines : lines.slice(-TAIL)).join('\n')}
      </pre>
      {!isWhole && lines.length > TAIL && (
        <button type="button" class="small" onClick={() => showWhole(true)}>
          All {lines.length} lines
        </button>
      )}
    </section>
  )
}

interface UnitTimelineProps {
  readonly item: Item
  /** The whole life of the job; undefined without the controls. */
  readonly run: RunDescription | undefined
}

/** The runs of a job's units, one line for each unit, also those that are still to come. */
function UnitTimeline({ item, run }: UnitTimelineProps): VNode | null {
  const groups = readUnits(item)
  const runs = groups.flatMap(({ units }) => units.flatMap((unit) => unit.runs))
  if (groups.every(({ units }) => units.length === 0)) return null
  const times = runs.flatMap(({ from, to = from }) => [from, to])
  const coming = (run?.units ?? []).map(({ name, startsAt, endsAt }) => ({
    name,
    from: Date.parse(startsAt) / 1000,
    to: Date.parse(endsAt ?? startsAt) / 1000,
    status: 'coming',
  }))
  const [start] = findRange([...times, ...coming.map(({ from }) => from)])
  const [, last] = findRange(times)
  // Without the controls, the duration of a running unit is unknown.
  const isRunning = runs.some(({ to }) => to === undefined)
  const [, known] = findRange([last, ...coming.map(({ to }) => to)])
  const end = isRunning && known === last ? last + ((last - start) * 0.2 || 1) : known
  const toPercent = (time: number): number => ((time - start) / (end - start || 1)) * 100
  return (
    <section>
      <h3>
        Units{' '}
        {runs.length > 0 && <small>{isRunning ? 'running' : formatDuration(last - start)}</small>}
      </h3>
      {groups.map(({ name: title, units }) => (
        <table class="timeline">
          <caption class={groups.length > 1 ? 'muted' : 'visually-hidden'}>{title}</caption>
          <thead class="visually-hidden">
            <tr>
              <th scope="col">Unit</th>
              <th scope="col">Status</th>
              <th scope="col">Runs</th>
              <th scope="col">Duration</th>
            </tr>
          </thead>
          <tbody>
            {units.slice(0, MAX_UNITS).map((unit) => (
              <tr>
                <th scope="row">{unit.name}</th>
                <td class="unit-status">
                  <Status status={unit.status} />
                </td>
                <td class="unit-runs">
                  <span class="visually-hidden">
                    {unit.runs
                      .map(({ from }) => `after ${formatDuration(from - start)}`)
                      .join(', ')}
                  </span>
                  <div class="track" aria-hidden="true">
                    {[
                      ...unit.runs,
                      ...coming.filter(({ name, from }) => name === unit.name && from > last),
                    ].map(({ from, to = end, status }) => (
                      <span
                        class={`run ${status}`}
                        style={{
                          left: `${toPercent(from)}%`,
                          width: `${toPercent(to) - toPercent(from)}%`,
                        }}
                      />
                    ))}
                  </div>
                </td>
                <td class="numeric">{formatRuns(unit.runs)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      ))}
    </section>
  )
}

/** The largest number of units of a subworkflow that have a line. */
const MAX_UNITS = 200

function formatRuns(runs: readonly UnitRun[]): string {
  const ended = runs.filter(({ to }) => to !== undefined)
  if (ended.length === 0) return ''
  const total = ended.reduce((sum, { from, to = from }) => sum + to - from, 0)
  return ended.length === 1
    ? formatDuration(total)
    : `${ended.length} × ${formatDuration(total / ended.length)}`
}
