import type { JsonObject } from '@materials-mock/json'
import type { UnitDraft } from './create-units.js'

export const ESPRESSO: JsonObject = {
  name: 'espresso',
  shortName: 'qe',
  summary: 'Quantum ESPRESSO',
  version: '6.3',
  build: 'GNU',
}

/** The model of a subworkflow: density functional theory with the functional PBE. */
export const PBE: JsonObject = {
  type: 'dft',
  subtype: 'gga',
  functional: 'pbe',
  method: { type: 'pseudopotential', subtype: 'us', data: {} },
}

/**
 * @param input a Jinja template
 * @param results the names of the properties that the run computes
 */
export const draftRun = (
  name: string,
  program: string,
  input: string,
  results: readonly string[],
): UnitDraft => ({
  name,
  fields: {
    type: 'execution',
    application: ESPRESSO,
    executable: { name: program },
    flavor: { name },
    input: [{ name: `${name}.in`, content: input }],
    monitors: [{ name: 'standard_output' }],
  },
  results,
})

export const formatInput = (calculation: string, kPoints: string): string => `&CONTROL
    calculation = '${calculation}'
    outdir = '{{ JOB_WORK_DIR }}/outdir'
    pseudo_dir = '{{ JOB_WORK_DIR }}/pseudo'
/
&SYSTEM
    ibrav = 0
    nat = {{ input.NAT }}
    ntyp = {{ input.NTYP }}
    ecutwfc = {{ cutoffs.wavefunction }}
    ecutrho = {{ cutoffs.density }}
    occupations = 'smearing'
    degauss = 0.005
/
&ELECTRONS
    mixing_beta = 0.3
/
ATOMIC_SPECIES
{{ input.ATOMIC_SPECIES }}
ATOMIC_POSITIONS crystal
{{ input.ATOMIC_POSITIONS }}
CELL_PARAMETERS angstrom
{{ input.CELL_PARAMETERS }}
${kPoints}
`

/** The points of a grid in reciprocal space, for an input. */
export const K_GRID = 'K_POINTS automatic\n{{ kgrid.dimensions }} {{ kgrid.shifts }}'

/** Computes the self-consistent total energy. */
export const SCF = draftRun('pw_scf', 'pw.x', formatInput('scf', K_GRID), [
  'total_energy',
  'fermi_energy',
  'pressure',
  'atomic_forces',
  'stress_tensor',
])
