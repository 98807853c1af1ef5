import { findAtomicNumber, findElectronegativity, isNonmetal } from '../elements.js'
import { MAX_STRETCH } from './structure-model.js'
import type { StructureModel } from './structure-model.js'

/*
 * Made-up numbers with the right signs and sizes. They are not physics: no electron is computed.
 */

/** The stiffness of a structure, in eV per atom. It gives a bulk modulus of about 100 GPa. */
const STIFFNESS = 40

/** One eV/Å^3 in kbar. */
const KBAR_PER_EV_PER_ANGSTROM_CUBED = 1602.176634

/**
 * Returns a total energy in eV: a sum over the atoms, and a parabola of the bond length, so that
 * structures of several sizes have an equation of state with a minimum.
 */
export const makeTotalEnergy = ({ atoms, stretch }: StructureModel): number =>
  atoms.reduce((sum, { symbol }) => sum - 2.5 - 10.3 * findAtomicNumber(symbol) ** 0.9, 0) +
  atoms.length * STIFFNESS * (stretch - 1) ** 2

/** Returns a pressure in kbar: the negative derivative of the total energy by the volume. */
export const makePressure = ({ atoms, volume, stretch }: StructureModel): number =>
  stretch === MAX_STRETCH
    ? 0
    : ((-2 * atoms.length * STIFFNESS * (stretch - 1) * stretch) / (3 * volume)) *
      KBAR_PER_EV_PER_ANGSTROM_CUBED

/** Returns a Fermi energy in eV, for four free electrons per atom. */
export const makeFermiEnergy = ({ atoms, volume }: StructureModel): number =>
  20 * ((4 * atoms.length) / volume) ** (2 / 3)

/**
 * Returns an indirect band gap in eV: 0 for metals, larger for light elements and for large
 * differences in electronegativity.
 */
export function makeBandGap({ atoms }: StructureModel): number {
  const symbols = [...new Set(atoms.map(({ symbol }) => symbol))]
  if (!symbols.some(isNonmetal)) return 0
  const values = symbols.map(findElectronegativity)
  const difference = Math.max(...values) - Math.min(...values)
  const mean = symbols.reduce((sum, each) => sum + findAtomicNumber(each), 0) / symbols.length
  return Math.min(12, 5.5 * Math.exp((6 - mean) / 5) + 1.6 * difference ** 1.5)
}
