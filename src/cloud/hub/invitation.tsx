// The invitation: what a hub needs to register.
import { renewInvitation } from '../../../contract/cloud/calls.ts'
import { CallButton } from '../../parts/actions.tsx'
import { CopyLine } from '../../parts/copy-line.tsx'
import { LoadState } from '../../parts/load-state.tsx'
import { t } from '../../text/language.ts'
import { Card } from '../../ui/card.tsx'
import { DescriptionList } from '../../ui/description-list.tsx'
import { confirm } from '../../ui/dialog/confirm.tsx'
import { useStore } from '../../ui/use-store.ts'
import { $invitation, renew } from './store.ts'
import { TEXT } from './text.ts'

async function confirmRenewal(): Promise<void> {
  if (await confirm({ text: t(TEXT.renewText), confirmLabel: t(TEXT.renew), danger: true })) await renew()
}

export function InvitationScreen() {
  const { value } = useStore($invitation)
  return (
    <LoadState store={$invitation} isEmpty={!value} emptyText="">
      <div className="cards">
        <Card title={t(TEXT.invitation)}>
          <p>{t(TEXT.join)}</p>
          <DescriptionList
            items={[
              [t(TEXT.cloudAddress), <CopyLine key="address" text={`${location.hostname}:${value?.['link-port']}`} />],
              [t(TEXT.invitation), <CopyLine key="invitation" text={value?.invitation ?? ''} />]
            ]}
          />
          <p className="muted">{t(TEXT.invitationText)}</p>
          <CallButton call={renewInvitation} icon="retry" label={t(TEXT.renew)} onClick={confirmRenewal} />
        </Card>
      </div>
    </LoadState>
  )
}
