import type { StandardCell, Symmetry } from '../../domain/items/symmetry.js'
import { toObject } from '../api/item.js'
import type { Item } from '../api/item.js'
import { send } from '../http/send.js'
import { useLoad } from '../state/hooks.js'
import { dataState } from '../state/navigation.js'
import { parseSettings } from './settings.js'

/**
 * Asks the server for the symmetry of a material. It has none while it loads, as a molecule, with too many
 * atoms, and with an impossible structure.
 */
export function useSymmetry({ lattice, basis, isNonPeriodic }: Item): Partial<Symmetry> {
  const structure = JSON.stringify({ lattice, basis })
  const { data = {} } = useLoad(
    async (signal): Promise<Partial<Symmetry>> => {
      if (isNonPeriodic === true || lattice === undefined || basis === undefined) return {}
      const asked = send<Symmetry>('/__admin/symmetry', {
        method: 'POST',
        body: { lattice, basis },
        signal,
      })
      return asked.catch(() => ({}))
    },
    [structure, isNonPeriodic],
    structure,
  )
  return data
}

/** Returns a material with the cell that the address says: as given, or a standard cell of its symmetry. */
export function useDrawn(item: Item, symmetry: Partial<Symmetry>): Item {
  const { unitCell } = parseSettings(dataState.value.structure)
  const chosen: StandardCell | undefined = unitCell === 'given' ? undefined : symmetry[unitCell]
  return chosen === undefined ? item : { ...item, ...toObject({ ...chosen }) }
}
