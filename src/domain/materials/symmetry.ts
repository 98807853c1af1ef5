import type { DerivedProperty } from '../items/material.js'

/**
 * Completes a `symmetry` property. The server never computes a space group: it has one only from
 * fixtures, bodies and files. Without a tolerance, it gets the one of the platform's own search.
 */
export const completeSymmetry = (property: Partial<DerivedProperty>): DerivedProperty => ({
  name: 'symmetry',
  ...property,
  tolerance: property.tolerance ?? { value: 0.3, units: 'angstrom' },
})
