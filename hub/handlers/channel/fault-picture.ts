// Handler of the picture of a fault.
import { NOT_EXIST, NOT_PERMITTED } from '../../../contract/codes.ts'
import { faultPicture } from '../../../contract/stream/fault-picture.ts'
import type { Gate } from '../../auth/gate.ts'
import { CallError, type Handler, handle, requireCaller } from '../../http/handler.ts'
import type { FaultPictures } from '../../preview/fault-pictures.ts'
import { previewOfChannel } from '../../preview/preview-id.ts'
import type { Store } from '../../store/store.ts'
import { requireChannel } from './changes.ts'

interface FaultPictureParts {
  store: Store
  gate: Gate
  faultPictures: Pick<FaultPictures, 'find'>
  /** Which preview IDs a session may see now. The right to a channel's preview is the right to this picture. */
  previewAccess(owner: string): (id: string) => boolean
}

export function handleFaultPicture(parts: FaultPictureParts): Handler {
  return handle(faultPicture, (context, { id }) => {
    requireChannel(parts, context, id)
    if (!parts.previewAccess(requireCaller(context).session)(previewOfChannel(id))) throw new CallError(NOT_PERMITTED)
    const jpeg = parts.faultPictures.find(id)
    if (!jpeg) throw new CallError(NOT_EXIST)
    return new Response(jpeg, { headers: { 'content-type': 'image/jpeg', 'cache-control': 'no-store' } })
  })
}
