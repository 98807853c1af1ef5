import { signal } from '@preact/signals'

import { createClosable } from '../state/preferences.js'

/**
 * The `_id` of the first material of the list, which is drawn beside the list while no item is open; empty without
 * one, and undefined before it is known.
 */
export const firstMaterial = signal<string | undefined>(undefined)

const { isClosed, close } = createClosable('preview')

const room = matchMedia('(min-width: 1100px)')
const isRoomy = signal(room.matches)
room.addEventListener('change', () => (isRoomy.value = room.matches))

/** Whether the first material is drawn: where there is room for it, until somebody closes it. */
export const hasPreview = (): boolean => isRoomy.value && !isClosed.value

export const closePreview = close
