import { useState } from 'preact/hooks'
import type { VNode } from 'preact'

import { addFault } from '../api/faults.js'
import { loadRules } from './rules.js'

const EXAMPLE = '{"path": "/api/*/materials", "status": 503, "times": 2}'

/** Adds a rule of one's own, as JSON. */
export function OwnRule(): VNode {
  const [text, setText] = useState(EXAMPLE)
  const [message, setMessage] = useState('')
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault()
    try {
      await addFault(text)
      setMessage('')
      await loadRules()
    } catch (error) {
      setMessage((error as Error).message)
    }
  }
  return (
    <form class="own-rule" onSubmit={(event) => void submit(event)}>
      <div class="own-rule-head">
        <label for="own-rule">Your own rule</label>
        <a href="/explorer?document=controls#/controls/faults-add">All fields</a>
      </div>
      <div class="button-line">
        <input
          id="own-rule"
          class="mono"
          value={text}
          spellcheck={false}
          autocomplete="off"
          aria-invalid={message !== ''}
          aria-describedby="own-rule-error"
          onInput={(event) => setText(event.currentTarget.value)}
        />
        <button type="submit">Add</button>
      </div>
      <p id="own-rule-error" class="json-error" role="status">
        {message}
      </p>
    </form>
  )
}
