import { useState } from 'preact/hooks'
import type { VNode } from 'preact'

import { describeNewItem } from '../api/resources.js'
import type { BodyDescription } from '../api/resources.js'
import { formatJson } from '../json/json-text.js'
import { ActionButton } from '../widgets/action-button.js'
import { createFromFiles, createItems } from './create-items.js'
import { JsonDialog } from './json-dialog.js'

/** Creates items from a text, or from files that are chosen. Files can be dropped on the table too. */
export function NewItemButton({ resource }: { readonly resource: string }): VNode {
  const [body, open] = useState<BodyDescription>()
  const close = (): void => open(undefined)
  const isMaterial = resource === 'materials'
  const choose = async (input: HTMLInputElement): Promise<void> => {
    await createFromFiles(resource, input.files ?? [])
    close()
  }
  return (
    <>
      <ActionButton id="new-item" onAct={async () => open(await describeNewItem(resource))}>
        New
      </ActionButton>
      {body !== undefined && (
        <JsonDialog
          title={`New item of ${resource}`}
          label={isMaterial ? 'POSCAR, CIF or JSON' : 'JSON'}
          text={formatJson(body.example ?? { name: 'New' })}
          focus="all"
          body={body}
          action="Create"
          onSubmit={(text) => createItems(resource, text, '')}
          onClose={close}
        >
          <p class="muted">
            {isMaterial
              ? 'The text of a POSCAR, a CIF or JSON'
              : 'The JSON of an item, or of a list'}
            , or a file, which can be dropped on the table too:
          </p>
          <input
            type="file"
            aria-label="File"
            multiple
            onChange={(event) => void choose(event.currentTarget)}
          />
        </JsonDialog>
      )}
    </>
  )
}
