// Who sees a channel.
import type { Channel } from '../../../contract/stream/channel.ts'
import { AccessEditor } from '../../parts/access/access-editor.tsx'
import { $isAllowed } from '../../state/session.ts'
import { t } from '../../text/language.ts'
import { AccessDenied } from '../../ui/placeholder.tsx'
import * as UI from '../../ui/text.ts'
import { useStore } from '../../ui/use-store.ts'
import { ACCESS } from './actions.tsx'

export function AccessTab({ channel }: { channel: Channel }) {
  const isAllowed = useStore($isAllowed)
  if (!isAllowed(ACCESS.call)) return <AccessDenied text={t(UI.adminRequired)} />
  return <AccessEditor subject={{ of: 'channel', objects: [channel] }} />
}
