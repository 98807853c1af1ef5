import { MeshBasicMaterial, MeshPhongMaterial } from 'three'

/** The materials that all meshes share, so that the graphics card compiles each once. */
export interface Materials {
  /** Of balls and bonds: a matt gloss, as of wooden models. */
  readonly solid: MeshPhongMaterial
  /** Of edges: without light and shade. */
  readonly flat: MeshBasicMaterial
}

/** Makes the materials of a view. */
export const createMaterials = (): Materials => ({
  solid: new MeshPhongMaterial({ specular: '#4a4a4a', shininess: 48 }),
  flat: new MeshBasicMaterial(),
})
