// Who sees a channel.
import { addUser } from '../../../contract/access/user.ts'
import type { Channel } from '../../../contract/stream/channel.ts'
import { AccessEditor } from '../../parts/access/access-editor.tsx'
import { CallButton } from '../../parts/actions.tsx'
import { linkTo } from '../../paths.ts'
import { navigate } from '../../state/location.ts'
import { $isAllowed } from '../../state/session.ts'
import { type Translation, t } from '../../text/language.ts'
import { AccessDenied } from '../../ui/placeholder.tsx'
import * as UI from '../../ui/text.ts'
import { useStore } from '../../ui/use-store.ts'
import { ACCESS } from './actions.tsx'

const TEXT = { addGuest: ['Add guest', '添加访客'] } as const satisfies Record<string, Translation>

export function AccessTab({ channel }: { channel: Channel }) {
  const isAllowed = useStore($isAllowed)
  if (!isAllowed(ACCESS.call)) return <AccessDenied text={t(UI.adminRequired)} />
  const addGuest = () => navigate(linkTo('users', { guest: String(channel.id) }))
  return (
    <AccessEditor
      subject={{ of: 'channel', objects: [channel] }}
      action={<CallButton call={addUser} icon="plus" label={t(TEXT.addGuest)} onClick={addGuest} />}
    />
  )
}
