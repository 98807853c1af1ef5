import { useState } from 'preact/hooks'
import type { VNode } from 'preact'

import { createFromFiles, createItems } from './create-items.js'
import { JsonDialog } from './json-dialog.js'

/** Creates items from a text, or from files that are chosen. Files can be dropped on the table too. */
export function NewItemButton({ resource }: { readonly resource: string }): VNode {
  const [isOpen, setOpen] = useState(false)
  const isMaterial = resource === 'materials'
  const choose = async (input: HTMLInputElement): Promise<void> => {
    await createFromFiles(resource, input.files ?? [])
    setOpen(false)
  }
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        New
      </button>
      {isOpen && (
        <JsonDialog
          title={`New item of ${resource}`}
          label={isMaterial ? 'POSCAR, CIF or JSON' : 'JSON'}
          text={isMaterial ? '' : '{\n  "name": "New"\n}'}
          action="Create"
          onSubmit={(text) => createItems(resource, text, '')}
          onClose={() => setOpen(false)}
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
