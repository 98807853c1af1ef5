import type { DrawableMaterial } from '../../domain/materials/geometry/crystal.js'
import type { ViewerOptions } from './settings.js'
import { StructureViewer } from './structure-viewer.js'
import type { FrameStatistics } from './view/structure-view.js'

/** A viewer in the page. */
export interface MountedViewer {
  /** Shows another material, with the same settings. */
  readonly update: (material: DrawableMaterial) => void
  /** Removes the viewer from the page, and frees its resources. */
  readonly dispose: () => void
  /** Returns the cost of the last frame; undefined without WebGL. */
  readonly readStatistics: () => FrameStatistics | undefined
}

/**
 * Shows a material's structure in 3D within an element of the page, with controls and a legend. The
 * style sheet is `viewer.css`.
 */
export function mountViewer(
  element: HTMLElement,
  material: DrawableMaterial,
  options: ViewerOptions = {},
): MountedViewer {
  const viewer = new StructureViewer(options)
  element.append(viewer.element)
  viewer.update(material)
  return {
    update: (next) => viewer.update(next),
    dispose: () => viewer.dispose(),
    readStatistics: () => viewer.readStatistics(),
  }
}
