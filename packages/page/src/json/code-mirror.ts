import {
  acceptCompletion,
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  closeCompletion,
  completionKeymap,
  currentCompletions,
} from '@codemirror/autocomplete'
import type { CompletionContext, CompletionResult } from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { json } from '@codemirror/lang-json'
import {
  bracketMatching,
  HighlightStyle,
  indentOnInput,
  syntaxHighlighting,
} from '@codemirror/language'
import { forceLinting, linter } from '@codemirror/lint'
import type { Diagnostic } from '@codemirror/lint'
import { EditorState, StateEffect } from '@codemirror/state'
import type { Transaction } from '@codemirror/state'
import { EditorView, keymap, lineNumbers, placeholder } from '@codemirror/view'
import { tags } from '@lezer/highlight'

import { asError } from '@materials-mock/json'
import type { Completer } from './completions.js'
import { locateInJson, parseJson } from './json-text.js'
import type { TextError } from './json-text.js'

export interface JsonEditorProps {
  readonly label: string
  readonly text: string
  readonly onChange: (text: string) => void
  /** An example, while the text is empty. */
  readonly placeholder?: string
  readonly errors?: readonly TextError[]
  readonly complete?: Completer | undefined
  /** Whether the reader can't change the text, because it is being sent. */
  readonly isLocked?: boolean
  /** The first selection: the start of the text, or the whole text. */
  readonly focus?: 'start' | 'all'
}

export interface MountedEditor {
  /** Shows the current properties. */
  readonly update: () => void
  readonly destroy: () => void
}

const THEME = EditorView.theme({
  '&': {
    color: 'var(--text)',
    backgroundColor: 'var(--surface)',
    border: '1px solid var(--line-strong)',
    borderRadius: '6px',
    maxHeight: 'var(--editor-max)',
  },
  '&.cm-focused': { outline: '2px solid var(--accent)', outlineOffset: '1px' },
  '&:has([aria-invalid="true"])': { borderColor: 'var(--bad)' },
  '.cm-scroller': { font: 'inherit', lineHeight: '1.5', overflow: 'auto' },
  '.cm-content, .cm-gutter': { minHeight: 'calc(var(--editor-min) - 2px)' },
  '.cm-content': { caretColor: 'var(--text)', padding: '0.3rem 0' },
  '.cm-gutters': {
    color: 'var(--muted)',
    backgroundColor: 'var(--sunken)',
    borderRight: '1px solid var(--line)',
    borderRadius: '6px 0 0 6px',
  },
  '.cm-placeholder': { color: 'var(--muted)' },
  '&.cm-focused .cm-matchingBracket': { backgroundColor: 'var(--accent-soft)' },
  '&.cm-focused .cm-nonmatchingBracket': { backgroundColor: 'transparent' },
  '.cm-lintRange-error': {
    background: 'var(--bad-soft)',
    textDecoration: 'wavy underline var(--bad)',
    textUnderlineOffset: '3px',
  },
  '.cm-lintPoint-error::after': { borderBottomColor: 'var(--bad)' },
  '.cm-tooltip.cm-tooltip': {
    color: 'var(--text)',
    backgroundColor: 'var(--raised)',
    border: '1px solid var(--line-strong)',
    borderRadius: '6px',
    boxShadow: 'var(--shadow)',
    overflow: 'hidden',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': { fontFamily: 'inherit', maxHeight: 'none' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { padding: '0.15rem 0.5rem' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    color: 'var(--accent)',
    background: 'var(--accent-soft)',
  },
  '.cm-completionDetail.cm-completionDetail': { color: 'var(--muted)', fontStyle: 'normal' },
  '.cm-diagnostic.cm-diagnostic': { borderLeft: '0', padding: '0.3rem 0.6rem' },
})

const COLORS = HighlightStyle.define([
  { tag: tags.propertyName, color: 'var(--accent)' },
  { tag: tags.string, color: 'var(--good)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--warn)' },
])

const refresh = StateEffect.define()

/** The time after the last key until malformed JSON is marked, in ms. */
const LINT_DELAY = 400

/** Shows an editor in a shadow tree of an element. */
export function mountEditor(host: HTMLElement, read: () => JsonEditorProps): MountedEditor {
  const root = host.shadowRoot ?? host.attachShadow({ mode: 'open', delegatesFocus: true })
  const { text, placeholder: example = '', focus } = read()
  const view = new EditorView({
    root,
    parent: root,
    state: EditorState.create({
      doc: text,
      extensions: [
        keymap.of([
          { key: 'Mod-Enter', run: () => submit(host) },
          { key: 'Tab', run: acceptCompletion },
          { key: 'Escape', run: closeShownCompletions },
        ]),
        keymap.of([
          ...completionKeymap,
          ...closeBracketsKeymap,
          ...defaultKeymap.filter(({ key }) => key !== 'Escape'),
          ...historyKeymap,
        ]),
        lineNumbers(),
        history(),
        json(),
        bracketMatching(),
        closeBrackets(),
        indentOnInput(),
        syntaxHighlighting(COLORS),
        THEME,
        EditorView.lineWrapping,
        placeholder(example),
        EditorView.contentAttributes.of(() => {
          const { label, errors = [] } = read()
          return { 'aria-label': label, 'aria-invalid': String(errors.length > 0), tabindex: '0' }
        }),
        EditorView.domEventHandlers({ beforeinput: replaceRange }),
        EditorState.changeFilter.of(() => read().isLocked !== true),
        EditorView.updateListener.of(({ docChanged, state }) => {
          const next = state.doc.toString()
          if (docChanged && next !== read().text) read().onChange(next)
        }),
        autocompletion({
          override: [(context) => complete(context, read())],
          defaultKeymap: false, // its Escape would come before ours
          icons: false,
          interactionDelay: 0,
        }),
        linter((current) => listDiagnostics(current, read()), {
          delay: LINT_DELAY,
          needsRefresh: ({ transactions }) =>
            transactions.some(({ effects }) => effects.some((each) => each.is(refresh))),
        }),
      ],
    }),
  })
  let shownErrors = read().errors
  const showErrors = (): void => {
    view.dispatch({ effects: refresh.of(null) })
    forceLinting(view)
  }
  if (shownErrors !== undefined && shownErrors.length > 0) showErrors()
  if (focus !== undefined) {
    view.dispatch({ selection: { anchor: 0, head: focus === 'all' ? text.length : 0 } })
    view.focus()
  }
  // Measures at once: the number of the first line would be drawn some pixels too high, and move.
  view.coordsAtPos(0)
  return {
    update: () => {
      const { text: next, errors } = read()
      const { doc } = view.state
      if (next !== doc.toString())
        view.dispatch({ changes: { from: 0, to: doc.length, insert: next }, filter: false })
      if (JSON.stringify(errors) !== JSON.stringify(shownErrors)) {
        shownErrors = errors
        showErrors()
      }
    },
    destroy: () => view.destroy(),
  }
}

/** Without a list, Escape closes the pane or dialog, even if a list would have been shown later. */
function closeShownCompletions(view: EditorView): boolean {
  const isShown = currentCompletions(view.state).length > 0
  closeCompletion(view)
  return isShown
}

function submit(host: HTMLElement): boolean {
  host.closest('form')?.requestSubmit()
  return true
}

/**
 * Chromium would give it the inline style of the replaced text, which the page's policy forbids.
 */
function replaceRange(event: InputEvent, view: EditorView): boolean {
  const { inputType, data, isComposing } = event
  const { from, to, empty } = view.state.selection.main
  if (inputType !== 'insertText' || data === null || isComposing || empty) return false
  const insert = (): Transaction =>
    view.state.update({
      changes: { from, to, insert: data },
      selection: { anchor: from + data.length },
      userEvent: 'input.type',
      scrollIntoView: true,
    })
  const isHandled = view.state
    .facet(EditorView.inputHandler)
    .some((handle) => handle(view, from, to, data, insert))
  if (!isHandled) view.dispatch(insert())
  return true
}

function complete(context: CompletionContext, props: JsonEditorProps): CompletionResult | null {
  const { state, pos, explicit } = context
  const found = props.complete?.(state.doc.toString(), pos)
  if (found === undefined || (found.start === pos && !explicit)) return null
  return {
    from: found.start,
    to: found.end,
    filter: false,
    options: found.options.map(({ label, detail = '', insert }) => ({
      label,
      detail,
      apply: insert,
    })),
  }
}

/** Lists the errors of the properties, or else the place of malformed JSON. */
function listDiagnostics({ state }: EditorView, { errors = [] }: JsonEditorProps): Diagnostic[] {
  const { length } = state.doc
  const shown = errors.length > 0 ? errors : checkJson(state.doc.toString())
  return shown
    .filter(({ start, end }) => end > start)
    .map(({ message, start, end }) => ({
      severity: 'error',
      message,
      // At least one character is marked.
      from: Math.min(start, Math.max(length - 1, 0)),
      to: Math.min(Math.max(end, start + 1), length),
    }))
}

/** Finds where JSON is malformed. Another text, such as a CIF, has no errors. */
function checkJson(text: string): TextError[] {
  if (!/^\s*[[{]/.test(text)) return []
  try {
    parseJson(text)
    return []
  } catch (error) {
    return locateInJson(text, [asError(error)])
  }
}
