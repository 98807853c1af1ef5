import { signal } from '@preact/signals'

const KEY = 'materials-mock.preview'

/** The `_id` of the first material of the list. It is drawn beside the list while no item is open. */
export const firstMaterial = signal('')

const isClosed = signal(localStorage.getItem(KEY) === 'closed')

const room = matchMedia('(min-width: 1100px)')
const isRoomy = signal(room.matches)
room.addEventListener('change', () => (isRoomy.value = room.matches))

/** Whether the first material is drawn: where there is room for it, until somebody closes it. */
export const hasPreview = (): boolean => isRoomy.value && !isClosed.value

/** Closes the preview for good. */
export function closePreview(): void {
  isClosed.value = true
  localStorage.setItem(KEY, 'closed')
}
