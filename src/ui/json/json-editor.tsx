import type { VNode } from 'preact'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'

import { useTyped } from '../state/hooks.js'
import { showError } from '../widgets/toasts.js'
import type { JsonEditorProps, MountedEditor } from './code-mirror.js'
import type { Completer } from './completions.js'
import type { TextError } from './locate-in-json.js'

/**
 * Edits JSON: with highlighting, completion, and marks at errors. Tab leaves it; Ctrl+Enter submits its
 * form. The code of editors is loaded with the first editor. An editor is in a shadow tree with
 * constructed style sheets, as the policy of the page requires.
 */
export function JsonEditor(props: JsonEditorProps): VNode {
  const host = useRef<HTMLDivElement>(null)
  const editor = useRef<MountedEditor>(null)
  const latest = useRef(props)
  latest.current = props
  useEffect(() => {
    let isGone = false
    const mount = async (): Promise<void> => {
      const { mountEditor } = await import('./code-mirror.js')
      if (isGone || host.current === null) return
      editor.current = mountEditor(host.current, () => latest.current)
    }
    mount().catch(showError)
    return () => {
      isGone = true
      editor.current?.destroy()
    }
  }, [])
  // Before the next key, so that it does not find an older text.
  useLayoutEffect(() => editor.current?.update())
  return <div class="json-editor" ref={host} />
}

/** The properties of an input for JSON. */
export interface JsonInputProps {
  readonly label: string
  readonly example: string
  readonly value: string
  readonly complete: Completer
  readonly error: TextError | undefined
  readonly onChange: (text: string) => void
}

/** An editor with a label and a message. Typed text takes effect after a pause. */
export function JsonInput(props: JsonInputProps): VNode {
  const { label, example, value, complete, error, onChange } = props
  const { text, type, commit } = useTyped(value, onChange)
  const shown = text === value ? error : undefined
  return (
    <div class="json-input" onFocusOut={commit}>
      <span class="json-label" aria-hidden="true">
        {label}
      </span>
      <JsonEditor
        label={label}
        text={text}
        placeholder={example}
        complete={complete}
        errors={shown === undefined ? [] : [shown]}
        onChange={type}
      />
      <p class="json-error" role="status">
        {shown?.message}
      </p>
    </div>
  )
}
