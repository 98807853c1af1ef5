import { Type } from '@sinclair/typebox'
import type { Static } from '@sinclair/typebox'

/** The path parameters of a sandbox. Its name is a segment of paths, which "." and ".." can't be. */
export const SandboxParameters = Type.Object({
  name: Type.String({
    pattern: '^(?!\\.{1,2}$)[A-Za-z0-9._-]{1,100}$',
    expected: 'up to 100 letters, digits, "-", "_" and ".", and not "." or ".."',
    examples: ['ann'],
  }),
})
export type SandboxParameters = Static<typeof SandboxParameters>

/** A sandbox as the controls list it. */
export const SandboxSummary = Type.Object(
  {
    name: Type.String({ examples: ['ann'] }),
    url: Type.String({
      description: 'What stands before /api and /__admin in the URLs of the sandbox.',
      examples: ['http://127.0.0.1:4000/sandboxes/ann'],
    }),
  },
  { $id: 'SandboxSummary' },
)
export type SandboxSummary = Static<typeof SandboxSummary>
