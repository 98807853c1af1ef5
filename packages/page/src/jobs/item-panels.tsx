import type { VNode } from 'preact'

import { listResultNames } from '@materials-mock/api'
import { findObjects, isJsonArray, isJsonObject, toObject } from '@materials-mock/json'
import type { Json, JsonObject } from '@materials-mock/json'
import type { Item } from '../api/item.js'
import { listServed } from '../api/items.js'
import { useLoad } from '../state/hooks.js'
import { versionOf } from '../state/versions.js'
import { formatUnits, formatValue } from '../table/format-value.js'
import { Fact, FieldSection, JobsOf, Reference } from '../table/item-facts.js'
import { CodeBlock } from '../widgets/code-block.js'
import { TableHead } from '../widgets/table.js'
import { Failure } from '../widgets/toasts.js'
import { Plot } from './plot.js'
import { FERMI_AXIS, findFermiEnergy, readPlot } from './read-plots.js'
import { readArrows } from './read-units.js'

export { JobView } from './job-view.js'

interface PanelProps {
  readonly item: Item
}

/** A property: its value, curve or table first, then its source. */
export function PropertyView({ item }: PanelProps): VNode {
  const { data, source, ...rest } = item
  const content = toObject(data)
  const { name, value, units, materialId } = content
  const { jobId, unitId } = toObject(toObject(source).info)
  const query = JSON.stringify({ 'source.info.jobId': jobId, 'data.name': 'fermi_energy' })
  const { data: energies = [], error } = useLoad(
    async (signal) =>
      typeof jobId === 'string' && FERMI_AXIS.has(name)
        ? listServed('properties', { query, projection: '{}' }, signal)
        : [],
    [query, name],
    versionOf('properties'),
  )
  const plot = readPlot(content, findFermiEnergy(energies))
  return (
    <div class="item-tables">
      <dl class="summary" aria-label="The property in short">
        <Fact name="Property">{formatValue(name)}</Fact>
        {value !== undefined && typeof value !== 'object' && (
          <Fact name="Value">
            {formatValue(value)} <small>{formatUnits(units)}</small>
          </Fact>
        )}
        <Reference name="Job" resource="jobs" items={[{ _id: jobId } as Item]} />
        {typeof unitId === 'string' && <Fact name="Unit of the job">{unitId}</Fact>}
        <Reference name="Material" resource="materials" items={[{ _id: materialId } as Item]} />
      </dl>
      <Failure error={error} />
      {plot !== undefined && <Plot data={plot} />}
      <ValueTable data={content} />
      <FieldSection item={rest} />
    </div>
  )
}

/** The largest number of shown rows of values. */
const MAX_ROWS = 100

/** The values of a property that is a list or a matrix, as a table. */
function ValueTable({ data }: { readonly data: JsonObject }): VNode | null {
  const rows = [data.value, data.values].find(isJsonArray) ?? []
  if (rows.length === 0) return null
  const heads = [...new Set(rows.filter(isJsonObject).flatMap((row) => Object.keys(row)))]
  const toCells = (row: Json): readonly (Json | undefined)[] =>
    (isJsonObject(row) ? heads.map((head) => row[head]) : [row]).flat() as Json[]
  const first = toObject(rows.find(isJsonObject))
  return (
    <section>
      <h3>
        Values <small>{formatUnits(data.units)}</small>
      </h3>
      <div class="value-table" tabIndex={0} role="region" aria-label="The values">
        <table class="numbers-table">
          {heads.length > 0 && (
            <TableHead
              heads={heads.map((title) => ({ title, span: [first[title]].flat().length }))}
            />
          )}
          <tbody>
            {rows.slice(0, MAX_ROWS).map((row) => (
              <tr>
                {toCells(row).map((cell) => (
                  <td>{formatValue(cell)}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {rows.length > MAX_ROWS && (
        <small>{`${rows.length - MAX_ROWS} more rows are in JSON.`}</small>
      )}
    </section>
  )
}

export function WorkflowView({ item }: PanelProps): VNode {
  const {
    subworkflows: _subworkflows,
    units: _units,
    workflows: _workflows,
    properties,
    ...rest
  } = item
  return (
    <div class="item-tables">
      <dl class="summary" aria-label="The workflow in short">
        <Fact name="Computes">{formatValue(properties)}</Fact>
      </dl>
      {findObjects(item, 'subworkflows').map((subworkflow, index) => (
        <section key={index}>
          <h3>
            {formatValue(subworkflow.name)} <small>{describeMethod(subworkflow)}</small>
          </h3>
          <Flowchart units={findObjects(subworkflow, 'units')} />
        </section>
      ))}
      <JobsOf query={{ 'workflow._id': item._id ?? '' }} />
      <FieldSection item={rest} />
    </div>
  )
}

/** The width of a column beside the units, which has one arrow. */
const LANE = ' 1.1rem'

/** The largest number of drawn arrows beside the units: the shortest ones. All are there as texts. */
const MAX_LANES = 8

/** Units below each other. Arrows that lead back, as of loops, are on the left, and those over units on the right. */
function Flowchart({ units }: { readonly units: readonly JsonObject[] }): VNode {
  const arrows = readArrows(units)
  const jumps = arrows
    .filter(({ from, to }) => to !== from + 1)
    .toSorted((one, other) => Math.abs(one.to - one.from) - Math.abs(other.to - other.from))
    .slice(0, MAX_LANES)
  const [back, over] = [jumps.filter((each) => each.isBack), jumps.filter((each) => !each.isBack)]
  return (
    <ol
      class="flow"
      style={{
        gridTemplateColumns: `${LANE.repeat(back.length)} minmax(0, 1fr) ${LANE.repeat(over.length)}`,
      }}
    >
      {units.map((unit, at) => (
        <li
          key={at}
          class="flow-unit"
          style={{ gridColumn: back.length + 1, gridRow: `${2 * at + 1} / span 2` }}
        >
          <Unit unit={unit} />
          {arrows
            .filter(({ from }) => from === at)
            .toSorted((one, other) => other.to - one.to) // the arrow to the next unit is right above it
            .map(({ to, label, isBack }) => (
              <p class="muted">
                {label} {to === at + 1 ? '↓' : isBack ? '↑' : '→'}{' '}
                {to !== at + 1 && formatValue(units[to]?.name)}
              </p>
            ))}
        </li>
      ))}
      {jumps.map((jump) => (
        <li
          class={jump.isBack ? 'flow-jump back' : 'flow-jump'}
          style={{
            gridColumn: jump.isBack
              ? `${back.length - back.indexOf(jump)} / ${back.length + 1}`
              : `${back.length + 2} / span ${over.indexOf(jump) + 1}`,
            gridRow: `${2 * Math.min(jump.from, jump.to) + 1} / ${2 * Math.max(jump.from, jump.to) + 2}`,
          }}
          aria-hidden
        />
      ))}
    </ol>
  )
}

function Unit({ unit }: { readonly unit: JsonObject }): VNode {
  const { name: title, type, statement, operand, value } = unit
  const names = listResultNames(unit)
  const code =
    type === 'condition'
      ? formatValue(statement)
      : type === 'assignment' && `${formatValue(operand)} = ${formatValue(value)}`
  const inputs = findObjects(unit, 'input').filter(({ content }) => typeof content === 'string')
  return (
    <div class={type === 'condition' ? 'condition' : undefined}>
      <strong>{formatValue(title)}</strong> <small>{formatValue(type)}</small>
      {code !== false && (
        <p>
          <code>{code}</code>
        </p>
      )}
      {names.length > 0 && <p class="muted">{names.join(', ')}</p>}
      {inputs.map(({ name, content }) => (
        <details key={String(name)}>
          <summary>{formatValue(name)}</summary>
          <CodeBlock code={String(content)} label={formatValue(name)} />
        </details>
      ))}
    </div>
  )
}

/** Describes the method of a subworkflow: `espresso 6.3, dft gga pbe, pseudopotential us`. */
function describeMethod({ application, model }: JsonObject): string {
  const { name, version } = toObject(application)
  const { type, subtype, functional, method } = toObject(model)
  const kind = joinSlugs(toObject(method).type, toObject(method).subtype)
  return [joinSlugs(name, version), joinSlugs(type, subtype, functional), kind]
    .filter(Boolean)
    .join(', ')
}

const joinSlugs = (...parts: readonly (Json | undefined)[]): string =>
  parts
    .map((each) => toObject(each).slug ?? each)
    .filter((each) => typeof each === 'string')
    .join(' ')

export function ProjectView({ item }: PanelProps): VNode {
  const { name: _name, description, isDefault, slug, ...rest } = item
  return (
    <div class="item-tables">
      <dl class="summary" aria-label="The project in short">
        <Fact name="Description">{formatValue(description)}</Fact>
        <Fact name="Slug">{formatValue(slug)}</Fact>
        <Fact name="Default">{formatValue(isDefault)}</Fact>
      </dl>
      <JobsOf query={{ '_project._id': item._id ?? '' }} />
      <FieldSection item={rest} />
    </div>
  )
}
