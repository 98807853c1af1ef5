import type { JsonObject } from '../../../json/json.js'
import { ELEMENTS } from '../../materials/elements.js'
import { makeKGrid } from '../../results/k-grid.js'
import type { StructureModel } from '../../results/structure-model.js'

/** The points of high symmetry that bands are computed along. */
const PATH = '4\n0.0 0.0 0.0 10\n0.5 0.0 0.5 10\n0.5 0.5 0.5 10\n0.0 0.0 0.0 10'

/**
 * Returns the values that the inputs of Quantum ESPRESSO name.
 * @param directory the working directory of the job
 */
export function createTemplateContext(
  model: StructureModel | undefined,
  directory: string,
): JsonObject {
  const symbols = [...new Set(model?.atoms.map(({ symbol }) => symbol) ?? [])]
  const positions = model?.atoms.map(({ symbol, coordinate }) => formatRow(symbol, coordinate))
  return {
    JOB_WORK_DIR: directory,
    input: {
      RESTART_MODE: 'from_scratch',
      IBRAV: 0,
      NAT: model?.atoms.length ?? 0,
      NTYP: symbols.length,
      NTYP_WITH_LABELS: symbols.length,
      ATOMIC_SPECIES: symbols.map(formatSpecies).join('\n'),
      ATOMIC_SPECIES_WITH_LABELS: symbols.map(formatSpecies).join('\n'),
      ATOMIC_POSITIONS: (positions ?? []).join('\n'),
      ATOMIC_POSITIONS_WITHOUT_CONSTRAINTS: (positions ?? []).join('\n'),
      CELL_PARAMETERS: (model?.vectors ?? []).map((vector) => formatRow('', vector)).join('\n'),
    },
    cutoffs: { wavefunction: 40, density: 200 },
    kgrid: { dimensions: makeKGrid(model).join(' '), shifts: '0 0 0' },
    kpath: PATH,
  }
}

const formatSpecies = (symbol: string): string =>
  `${symbol} ${ELEMENTS.get(symbol)?.mass ?? 0} ${symbol.toLowerCase()}_pbe_gbrv_1.0.upf`

const formatRow = (symbol: string, values: readonly number[]): string =>
  [symbol.padEnd(2), ...values.map((value) => value.toFixed(9).padStart(14))].join(' ').trimEnd()
