/** A number with its unit, such as an energy. */
interface Scalar<Name extends string> {
  name: Name
  value: number
  units?: string
}

/** An axis of a plot. */
export interface Axis {
  label: string
  units?: string
}

/** A plot: a series of y values has one for each x value. A point of a path has three coordinates. */
interface Plot<Name extends string> {
  name: Name
  xAxis: Axis
  yAxis: Axis
  xDataArray: (number | number[])[]
  yDataSeries: number[][]
}

/** The energies of the bands along a path of k-points. */
export interface BandStructure extends Plot<'band_structure'> {
  /** The k-points. */
  xDataArray: number[][]
  /** For each band its energies, one for each k-point. */
  yDataSeries: number[][]
  /** The spin of each band: 0.5 or -0.5. */
  spin?: number[]
}

/** What a series of a density of states is about. That of the total is empty, or has the state `total`. */
export interface StatesLegend {
  /** The symbol of the element. */
  element?: string
  /** The shell, such as `3p`. */
  electronicState?: string
  index?: number
  /** 0.5 or -0.5. */
  spin?: number
}

/** The density of the electronic states by their energy, the total and its parts. */
export interface DensityOfStates extends Plot<'density_of_states'> {
  /** The energies. */
  xDataArray: number[]
  /** What each series is about. */
  legend: StatesLegend[]
}

/** A gap between bands. */
export interface BandGap {
  type: 'direct' | 'indirect'
  value: number
  units?: string
  /** The k-point of the lowest energy of the conduction bands. */
  kpointConduction?: number[]
  /** The k-point of the highest energy of the valence bands. */
  kpointValence?: number[]
}

/** The gaps between the bands. */
export interface BandGaps {
  name: 'band_gaps'
  values: BandGap[]
}

/** A vector of each atom. */
export interface AtomVector {
  /** The number of the atom in its material. */
  id: number
  value: number[]
}

/** The forces on the atoms. */
export interface AtomicForces {
  name: 'atomic_forces'
  units?: string
  values: AtomVector[]
}

/** The magnetic moments of the atoms. */
export interface MagneticMoments {
  name: 'magnetic_moments'
  units?: string
  values: AtomVector[]
}

/** The stress of a cell as a matrix of 3 × 3. */
export interface StressTensor {
  name: 'stress_tensor'
  units?: string
  value: number[][]
}

/** The structure at the end of a relaxation: the fields of a material. */
export interface FinalStructure {
  name: 'final_structure'
  isRelaxed?: boolean
  /** The `_id` of the material. */
  materialId?: string
  [field: string]: unknown
}

/** The steps of a self-consistent cycle. */
export interface ConvergenceElectronic {
  name: 'convergence_electronic'
  units?: string
  tolerance?: number
  /** For each cycle its errors. */
  data: number[][]
}

/** The steps of a relaxation. */
export interface ConvergenceIonic {
  name: 'convergence_ionic'
  units?: string
  tolerance?: number
  data: { energy: number; electronic?: { units?: string; data?: number[] } }[]
}

/** The names of properties that are a number. */
type ScalarName =
  | 'total_energy'
  | 'fermi_energy'
  | 'pressure'
  | 'total_force'
  | 'zero_point_energy'
  | 'surface_energy'
  | 'interfacial_energy'
  | 'formation_energy'
  | 'defect_formation_energy'
  | 'reaction_energy_barrier'
  | 'valence_band_offset'
  | 'ionization_potential'
  | 'electron_affinity'
  | 'homo_energy'
  | 'lumo_energy'
  | 'thermal_correction_to_energy'
  | 'thermal_correction_to_enthalpy'

/** The names of other plots. */
type PlotName =
  | 'average_potential_profile'
  | 'charge_density_profile'
  | 'phonon_dispersions'
  | 'phonon_dos'
  | 'potential_profile'
  | 'reaction_energy_profile'

/** The names of properties whose other fields have no type. */
type OpenName =
  | 'dielectric_tensor'
  | 'file_content'
  | 'hubbard_u'
  | 'hubbard_v'
  | 'hubbard_v_nn'
  | 'is_relaxed'
  | 'jupyter_notebook_endpoint'
  | 'predicted_properties'
  | 'pseudopotential'
  | 'total_energy_contributions'
  | 'vibrational_spectrum'
  | 'wavefunction_amplitude'
  | 'workflow:ml_predict'

/** A property whose other fields have no type. */
interface OpenData<Name extends string> {
  name: Name
  [field: string]: unknown
}

type Scalars = { [Name in ScalarName]: Scalar<Name> }
type Plots = { [Name in PlotName]: Plot<Name> }
type Others = { [Name in OpenName]: OpenData<Name> }

/**
 * The data of properties by their names: those of the platform's schemas. To add a property of your own, declare
 * its name in this interface.
 */
export interface PropertyTypes extends Scalars, Plots, Others {
  band_structure: BandStructure
  density_of_states: DensityOfStates
  band_gaps: BandGaps
  atomic_forces: AtomicForces
  magnetic_moments: MagneticMoments
  stress_tensor: StressTensor
  final_structure: FinalStructure
  convergence_electronic: ConvergenceElectronic
  convergence_ionic: ConvergenceIonic
}

/** The data of a property. Its `name` tells which fields it has. */
export type PropertyData = PropertyTypes[keyof PropertyTypes]

/** Where a property comes from. */
export interface PropertySource {
  type?: string
  info?: {
    /** The `_id` of the job. */
    jobId?: string
    /** The flowchartId of the unit. */
    unitId?: string
  }
}
