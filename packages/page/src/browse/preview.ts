import { signal } from '@preact/signals'

import { dataState } from '../state/navigation.js'
import { createClosable } from '../state/preferences.js'

/** The `_id` of the first material of the list; empty without one, and undefined before it is known. */
export const firstMaterial = signal<string | undefined>(undefined)

const { isClosed, close } = createClosable('preview')

const room = matchMedia('(min-width: 1100px)')
const isRoomy = signal(room.matches)
room.addEventListener('change', () => (isRoomy.value = room.matches))

/**
 * Returns the `_id` of the item beside the list: the open item, or else the first material where there is room for it,
 * until somebody closes it. It is empty without one, and undefined before the first material is known.
 */
export function findShown(resource: string | undefined): string | undefined {
  const { item, panel } = dataState.value
  const hasRoom = isRoomy.value && panel === '' && !isClosed.value
  return item === '' && resource === 'materials' && hasRoom ? firstMaterial.value : item
}

export const closePreview = close
