import { Color, Fog, Group, Scene } from 'three'

import type { Site } from '../../../domain/materials/geometry/crystal.js'
import { scale } from '../../../domain/materials/vector.js'
import { findBallRadius, findElementColor } from '../colors.js'
import type { Theme } from '../colors.js'
import type { Bounds } from '../find-bounds.js'
import type { Picture } from '../picture.js'
import { ATOM_LABEL, LabelMesh } from './labels.js'
import { addLights, createBallMesh, createRodMesh, disposeMeshes } from './meshes.js'
import type { Materials } from './meshes.js'

/** The radius of a bond, in Å. */
const BOND_RADIUS = 0.09

/** The radius of an edge of the cell, in units of half the size of the structure. */
const EDGE_RADIUS = 0.004

/** The share of the background colour in bonds that end at the border, from 0 to 1. */
const CUT_FADE = 0.55

/** The parts of its picture that a scene shows. */
export interface SceneContent {
  readonly sites: readonly Site[]
  readonly picture: Picture
  readonly hasLabels: boolean
  readonly hasEdges: boolean
  readonly theme: Theme
}

/** The scene of a structure: a turning group in light that stands still. */
export class StructureScene {
  readonly scene = new Scene()
  readonly group = new Group()
  readonly fog = new Fog('#ffffff')
  readonly #materials: Materials
  readonly #meshes = new Group()
  readonly #labels = new LabelMesh()

  constructor(materials: Materials) {
    this.#materials = materials
    addLights(this.scene)
    this.group.add(this.#meshes, this.#labels)
    this.scene.add(this.group)
    this.scene.fog = this.fog
  }

  /** Replaces the content. */
  show({ sites, picture, hasLabels, hasEdges, theme }: SceneContent, bounds: Bounds): void {
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
    const edgeRadius = EDGE_RADIUS * Math.max(...bounds.halfSize)
    const { solid, flat } = this.#materials
    disposeMeshes(this.#meshes)
    this.#meshes.add(createBallMesh(balls, solid))
    if (bonds.length > 0) this.#meshes.add(createRodMesh(bonds, BOND_RADIUS, solid))
    if (hasEdges && edges.length > 0) this.#meshes.add(createRodMesh(edges, edgeRadius, flat))
    this.#labels.show(hasLabels ? balls : [], ATOM_LABEL)
    for (const each of [this.#meshes, this.#labels]) each.position.set(...scale(bounds.center, -1))
    this.fog.color.set(theme.background)
  }

  dispose(): void {
    disposeMeshes(this.#meshes)
    this.#labels.dispose()
  }
}

/** Returns the first colour mixed with a share of the second. */
const mixColors = (one: string, other: string, share: number): string =>
  `#${new Color(one).lerp(new Color(other), share).getHexString()}`
