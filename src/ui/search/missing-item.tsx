import type { VNode } from 'preact'

import { hasControls } from '../session/session-state.js'
import { navigate } from '../state/navigation.js'

/** Takes the `_id` of an item that is missing in the list, and opens it: it says there why. */
export function MissingItem(): VNode | null {
  if (hasControls.value !== true) return null
  return (
    <form class="missing-item" onSubmit={open}>
      <label>
        An item is missing?
        <input name="id" class="mono" placeholder="Its _id" required spellcheck={false} />
      </label>
      <button type="submit">Why?</button>
    </form>
  )
}

function open(event: SubmitEvent): void {
  event.preventDefault()
  const form = new FormData(event.currentTarget as HTMLFormElement)
  navigate({ item: String(form.get('id')).trim() })
}
