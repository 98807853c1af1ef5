import { DirectionalLight, HemisphereLight } from 'three'
import type { Scene } from 'three'

/**
 * Adds the lights of a scene. They stay with the viewer, and the structure turns under them: a main light
 * from the upper left, a weak one from the lower right, and the sky.
 */
export function addLights(scene: Scene): void {
  const main = new DirectionalLight('#ffffff', 2.1)
  main.position.set(-3, 5, 6)
  const fill = new DirectionalLight('#dfe8ff', 0.5)
  fill.position.set(5, -3, 4)
  scene.add(main, fill, new HemisphereLight('#ffffff', '#8f949d', 1.35))
}
