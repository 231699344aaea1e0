// A live picture on a page. Whoever mounts it styles `.picture`, which is empty until the first picture is there and should keep
// 16:9 by itself, and `.picture[data-stale]`.
import { useEffect, useRef, useState } from 'react'
import { $now } from '../ui/clock.ts'
import { useOnScreen } from '../ui/on-screen.ts'
import { useStore } from '../ui/use-store.ts'
import type { PreviewItem, Previews } from './previews.ts'

/** Milliseconds without a new picture after which the last one is marked. */
export const PICTURE_STALE = 5000

export interface PictureProps {
  previews: Pick<Previews, 'subscribe'>
  /** Preview id: `DEV-<sn>`. */
  id: string
  alt: string
}

/** Shows the last picture of a preview id, and wants new ones only while it is on screen. */
export function Picture({ previews, id, alt }: PictureProps) {
  const frame = useRef<HTMLDivElement>(null)
  const visible = useOnScreen(frame)
  const [item, setItem] = useState<PreviewItem>()
  // Off screen the last picture stays; but a tile may also come to show another device.
  const shown = item?.id === id ? item : undefined
  // It grows old without a word: looked at once a second.
  useStore($now)
  const stale = shown && Date.now() - shown.createTime > PICTURE_STALE

  useEffect(() => (visible ? previews.subscribe(id, setItem) : undefined), [previews, id, visible])

  return (
    <div className="picture" data-stale={stale || undefined} ref={frame}>
      {shown && <img src={shown.url} alt={alt} width={16} height={9} decoding="sync" draggable={false} />}
    </div>
  )
}
