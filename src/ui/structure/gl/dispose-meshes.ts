import { InstancedMesh } from 'three'
import type { Object3D } from 'three'

/** Empties a group of instanced meshes, and frees them but for their materials, which others share. */
export function disposeMeshes(group: Object3D): void {
  for (const object of group.children) {
    if (!(object instanceof InstancedMesh)) continue
    object.geometry.dispose()
    object.dispose()
  }
  group.clear()
}
