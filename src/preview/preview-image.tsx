// A live preview image. The style sheet defines `.picture`, which is empty until the first image arrives and must keep the aspect ratio of
// 16:9 by itself, and `.picture[data-stale]`.
import { useEffect, useRef, useState } from 'react'
import { $now } from '../ui/clock.ts'
import { useOnScreen } from '../ui/on-screen.ts'
import { useStore } from '../ui/use-store.ts'
import type { PreviewItem, Previews } from './previews.ts'

/** Milliseconds without a new image after which the last one is marked as stale. */
const PREVIEW_STALE_AFTER = 5000

export interface PreviewImageProps {
  previews: Pick<Previews, 'subscribe'>
  /** Preview id: `DEV-<sn>`. */
  id: string
  alt: string
}

/** Shows the last image of a preview. Subscribes to the preview only while the element is on screen. */
export function PreviewImage({ previews, id, alt }: PreviewImageProps) {
  const frame = useRef<HTMLDivElement>(null)
  const isVisible = useOnScreen(frame)
  const [item, setItem] = useState<PreviewItem>()
  // The last image stays while the element is off screen. The id changes when the element shows another device.
  const currentItem = item?.id === id ? item : undefined
  // Re-renders every second, because nothing reports that an image has become stale.
  useStore($now)
  const isStale = currentItem && Date.now() - currentItem.createTime > PREVIEW_STALE_AFTER

  useEffect(() => (isVisible ? previews.subscribe(id, setItem) : undefined), [previews, id, isVisible])

  return (
    <div className="picture" data-stale={isStale || undefined} ref={frame}>
      {currentItem && <img src={currentItem.url} alt={alt} width={16} height={9} decoding="sync" draggable={false} />}
    </div>
  )
}
