import { Type } from '@sinclair/typebox'
import type { Static } from '@sinclair/typebox'

/** The path parameters of a snapshot. */
export const SnapshotParameters = Type.Object({
  name: Type.String({
    pattern: '^[A-Za-z0-9._-]{1,100}$',
    expected: 'up to 100 letters, digits, "-", "_" and "."',
  }),
})
export type SnapshotParameters = Static<typeof SnapshotParameters>
