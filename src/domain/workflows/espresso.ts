import type { JsonObject } from '../../json/json.js'
import type { UnitDraft } from './create-units.js'

/** The application of the units, and of their subworkflow. */
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
 * Drafts a run of a program.
 * @param input a Jinja template of the input, which is rendered with the data of the material
 * @param results the names of the properties that the run computes
 */
const draftRun = (
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

const formatInput = (calculation: string, kPoints: string): string => `&CONTROL
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

const K_GRID = 'K_POINTS automatic\n{{ kgrid.dimensions }} {{ kgrid.shifts }}'

/** Computes the self-consistent total energy. */
export const SCF = draftRun('pw_scf', 'pw.x', formatInput('scf', K_GRID), [
  'total_energy',
  'fermi_energy',
  'pressure',
  'atomic_forces',
  'stress_tensor',
])

/** Computes energies along a path between points of high symmetry, after `SCF`. */
export const BANDS_ALONG_PATH = draftRun(
  'pw_bands',
  'pw.x',
  formatInput('bands', 'K_POINTS crystal_b\n{{ kpath }}'),
  ['band_structure'],
)

/** Sorts the bands by symmetry, after `BANDS_ALONG_PATH`. */
export const SORTED_BANDS = draftRun(
  'bands',
  'bands.x',
  `&BANDS
    outdir = '{{ JOB_WORK_DIR }}/outdir'
    filband = 'bands.dat'
/
`,
  [],
)

/** Computes the cell and the coordinates with the lowest energy. */
export const CELL_RELAXATION = draftRun('pw_vc-relax', 'pw.x', formatInput('vc-relax', K_GRID), [
  'total_energy',
  'pressure',
  'atomic_forces',
  'stress_tensor',
  'final_structure',
])

/** Computes the energies on a dense grid, after `SCF` or `CELL_RELAXATION`, and the gaps between them. */
export const BAND_GAPS = draftRun('pw_nscf', 'pw.x', formatInput('nscf', K_GRID), [
  'band_gaps',
  'fermi_energy',
])
