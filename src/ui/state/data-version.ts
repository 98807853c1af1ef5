import { signal } from '@preact/signals'

/** A number that grows when items may have changed, so that lists load again. */
export const dataVersion = signal(0)

/** Lets lists load again. */
export const reloadData = (): void => {
  dataVersion.value += 1
}
