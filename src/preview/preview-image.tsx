// A live preview image. The style sheet defines `.picture`, which is empty until the first image arrives and must keep
// the aspect ratio of 16:9 by itself, `.picture[data-stale]`, and `.picture-tag`.
import { useEffect, useRef, useState } from 'react'
import { PREVIEW_GRACE } from '../../contract/limits.ts'
import { ago, shortAgo } from '../text/dates.ts'
import { type Translation, t } from '../text/language.ts'
import { $now } from '../ui/clock.ts'
import { useOnScreen } from '../ui/on-screen.ts'
import { useStore } from '../ui/use-store.ts'
import type { PreviewItem, Previews } from './previews.ts'

const TEXT = {
  stale: ['Last picture {0}', '最后画面：{0}'],
  tag: ['{0} · picture {1}', '{0} · 画面 {1}']
} as const satisfies Record<string, Translation>

export interface PreviewImageProps {
  previews: Pick<Previews, 'subscribe'>
  /** Preview id: `DEV-<sn>`, `CHANNEL-<id>`, or of an NDI source (contract/ndi/preview-id.ts). */
  id: string
  alt: string
  /**
   * Where the picture comes from, shown in a corner with its age. Without it the age is shown only if the picture is
   * stale.
   */
  source?: string | undefined
  /** Shown until the first image arrives. */
  emptyText?: string | undefined
  /** The picture is dimmed also while it is up to date. */
  dimmed?: boolean
}

/**
 * Shows the last image of a preview, dimmed and with its age once it is stale. Subscribes only while the element is on
 * screen.
 */
export function PreviewImage({ previews, id, alt, source, emptyText, dimmed }: PreviewImageProps) {
  const frame = useRef<HTMLDivElement>(null)
  const isVisible = useOnScreen(frame)
  const [item, setItem] = useState<PreviewItem>()
  // The last image stays while the element is off screen. The id changes when the element shows another device.
  const currentItem = item?.id === id ? item : undefined
  // Re-renders every second, because nothing reports that an image has become stale.
  useStore($now)
  const age = currentItem ? Date.now() - currentItem.createTime : 0
  const isStale = currentItem && age > currentItem.interval + PREVIEW_GRACE

  useEffect(() => (isVisible ? previews.subscribe(id, setItem) : undefined), [previews, id, isVisible])

  const ageText = isStale ? t(TEXT.stale, ago(age / 1000)) : source && currentItem && shortAgo(age / 1000)
  return (
    <div className="picture" data-stale={isStale || dimmed || undefined} ref={frame}>
      {currentItem ? (
        <img src={currentItem.url} alt={alt} width={16} height={9} decoding="sync" draggable={false} />
      ) : (
        emptyText
      )}
      {ageText && <span className="picture-tag">{source ? t(TEXT.tag, source, ageText) : ageText}</span>}
    </div>
  )
}
