import type { Site } from '../../../domain/materials/geometry/crystal.js'
import { computeLength, scale } from '../../../domain/materials/vector.js'
import type { Vector } from '../../../domain/materials/vector.js'
import { findBallRadius, findElementColor } from '../colors.js'
import type { Theme } from '../colors.js'
import type { Bounds } from '../find-bounds.js'
import type { Axes } from '../orientation.js'
import type { Picture } from '../picture.js'
import { ATOM_LABEL, createLabelMesh } from './labels.js'
import { createBallMesh, createRodMesh, mixColors } from './meshes.js'
import type { Mesh, Renderer } from './renderer.js'

/** The radius of a bond, in Å. */
const BOND_RADIUS = 0.09

/** The radius of an edge of the cell, in units of half the size of the structure. */
const EDGE_RADIUS = 0.004

/** How far the bonds that end at the border fade into the background, from 0 to 1. */
const CUT_FADE = 0.55

/** What a scene shows of its picture. */
export interface SceneContent {
  readonly sites: readonly Site[]
  readonly picture: Picture
  readonly hasLabels: boolean
  readonly hasEdges: boolean
  readonly theme: Theme
}

/** Makes the meshes of a structure. */
export function createStructure(
  renderer: Renderer,
  { sites, picture, hasLabels, hasEdges, theme }: SceneContent,
  { halfSize }: Bounds,
): Mesh[] {
  const balls = picture.atoms.map(({ site, position }) => {
    const { symbol = '', label = '' } = sites[site] ?? {}
    const [radius, color] = [findBallRadius(symbol), findElementColor(symbol)]
    return { position, radius, color, text: symbol + label }
  })
  const bonds = picture.halfBonds.map(({ site, from, to, isCut }) => {
    const color = findElementColor(sites[site]?.symbol ?? '')
    return { from, to, color: isCut ? mixColors(color, theme.background, CUT_FADE) : color }
  })
  const edges = picture.edges.map(([from, to]) => ({ from, to, color: theme.lineColor }))
  const edgeRadius = EDGE_RADIUS * Math.max(...halfSize)
  const meshes = [createBallMesh(renderer, balls)]
  if (bonds.length > 0) meshes.push(createRodMesh(renderer, bonds, BOND_RADIUS, 'solid'))
  if (hasEdges && edges.length > 0) meshes.push(createRodMesh(renderer, edges, edgeRadius, 'flat'))
  if (hasLabels) meshes.push(createLabelMesh(renderer, balls, ATOM_LABEL))
  return meshes
}

/** The colours of the first, second and third axis. */
const AXIS_COLORS = ['#e5484d', '#30a46c', '#3e7bfa'] as const

/** Makes the meshes of the axes of a cell or of space, which are drawn in a corner of the view. */
export function createAxes(renderer: Renderer, axes: Axes, textColor: string): Mesh[] {
  const ends = axes.directions.map((axis) => scale(axis, 1 / (computeLength(axis) || 1)))
  const rods = ends.map((to, index) => ({ from: ORIGIN, to, color: findAxisColor(index) }))
  const balls = [ORIGIN, ...ends].map((position, index) => ({
    position,
    radius: index === 0 ? 0.09 : 0.15,
    color: index === 0 ? CENTER_COLOR : findAxisColor(index - 1),
  }))
  const labels = ends.map((end, index) => ({
    position: scale(end, 1.38),
    radius: 0.2,
    text: axes.names[index] ?? '',
  }))
  return [
    createRodMesh(renderer, rods, 0.05, 'solid'),
    createBallMesh(renderer, balls),
    createLabelMesh(renderer, labels, { color: textColor, height: 5.75 }),
  ]
}

const ORIGIN: Vector = [0, 0, 0]

const CENTER_COLOR = '#9aa3ad'

const findAxisColor = (index: number): string => AXIS_COLORS[index] ?? CENTER_COLOR
