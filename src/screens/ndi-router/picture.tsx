// The picture of an NDI source, while it is on screen.

import { ndiPreviewId } from '../../../contract/ndi/preview-id.ts'
import { PreviewImage } from '../../preview/preview-image.tsx'
import { previews } from '../../state/previews.ts'

interface NdiPictureProps {
  /** `MACHINE (Source)`. */
  name: string
  /** What the picture shows. */
  label: string
  /** The source is not announced, so that the last picture is not current. */
  isAway: boolean
}

export function NdiPicture({ name, label, isAway }: NdiPictureProps) {
  const id = ndiPreviewId(name)
  if (id === undefined) return null
  return <PreviewImage previews={previews} id={id} alt={label} dimmed={isAway} />
}
