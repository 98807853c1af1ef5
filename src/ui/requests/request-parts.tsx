import type { VNode } from 'preact'

import type { Json, JsonObject } from '../api/item.js'
import type { JournalResponse, RequestRecord } from '../api/journal-types.js'
import { CodeBlock } from '../widgets/code-block.js'
import { Notice } from '../widgets/notice.js'

/** The parameters, headers and body of a request. */
export const RequestPart = ({ record }: { readonly record: RequestRecord }): VNode => (
  <div class="parts">
    <Part title="URL" value={record.url} />
    <Part title="query" value={record.query} />
    <Part title="projection" value={record.projection} />
    <Part title="Body" value={record.body} />
    <HeaderTable headers={record.headers} />
  </div>
)

/** The headers and the start of the body of a response. */
export function ResponsePart({ record: { response } }: { readonly record: RequestRecord }): VNode {
  if (response === null) return <Notice kind="info">No response was sent.</Notice>
  return (
    <div class="parts">
      {describeBody(response) !== undefined && <p class="muted">{describeBody(response)}</p>}
      <Part title="Body" value={response.body} />
      <HeaderTable headers={response.headers} />
    </div>
  )
}

/** Says why a body is not whole. */
function describeBody({ bodyState, size }: JournalResponse): string | undefined {
  const bytes = size === null ? '' : `, ${size} bytes in all`
  if (bodyState === 'truncated') return `The first 64 KiB${bytes}`
  if (bodyState === 'dropped') return `Newer responses have taken the memory of this body${bytes}`
  if (bodyState === 'binary') return `The body is no text${bytes}`
  if (bodyState === 'stream') return 'The body was sent as a stream, which is not recorded'
  return undefined
}

const Part = ({ title, value }: { readonly title: string; readonly value: Json }): VNode | null =>
  value === null ? null : (
    <section>
      <h3>{title}</h3>
      <CodeBlock
        code={typeof value === 'string' ? value : JSON.stringify(value, null, 2)}
        label={title}
      />
    </section>
  )

const HeaderTable = ({ headers }: { readonly headers: JsonObject }): VNode => (
  <section>
    <h3>Headers</h3>
    <table class="facts">
      <tbody>
        {Object.entries(headers).map(([name, value]) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td>{String(value)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </section>
)
