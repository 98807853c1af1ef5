import { useEffect, useRef } from 'preact/hooks'
import type { VNode } from 'preact'

import type { Item } from '../api/item.js'
import { drawThumbnail } from '../structure/thumbnail.js'

/** A small picture of a material's structure. It tells nothing that the row does not say in words. */
export function Thumbnail({ item }: { readonly item: Item }): VNode {
  const canvas = useRef<HTMLCanvasElement>(null)
  useEffect(() => {
    if (canvas.current !== null) drawThumbnail(canvas.current, item)
  }, [item])
  return <canvas class="thumbnail" width={96} height={72} aria-hidden="true" ref={canvas} />
}
