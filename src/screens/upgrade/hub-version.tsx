// The version of a hub that does not have several consoles, and what its own update service does.

import type { ResponseOf } from '../../../contract/call.ts'
import { UPDATE_STATUS_BITS } from '../../../contract/system.ts'
import { UPDATE_STATE, type updateStatus } from '../../../contract/update.ts'
import { codeText } from '../../text/codes.ts'
import { hubStatusText } from '../../text/hub-status.ts'
import { t } from '../../text/language.ts'
import { percent } from '../../text/numbers.ts'
import { Card } from '../../ui/card.tsx'
import { DescriptionList } from '../../ui/description-list.tsx'
import { TEXT } from './text.ts'

/** All bits of the update service. */
const UPDATE_SERVICE_BITS = Object.values(UPDATE_STATUS_BITS).reduce((all, bit) => all | bit, 0)

export function HubVersion({ status }: { status: ResponseOf<typeof updateStatus> }) {
  const { version, state, progress, 'online-status': online } = status
  const { 'is-newest': isNewest, 'newest-version': newest, 'update-result': result } = online ?? {}
  const [text] = hubStatusText(state & UPDATE_SERVICE_BITS)
  const cause = state & UPDATE_STATE.failed && result ? codeText(result) : ''
  const detail = state & UPDATE_STATE.pulling ? percent(progress) : cause
  return (
    <Card title={t(TEXT.hub)}>
      <DescriptionList
        items={[
          [t(TEXT.version), version],
          [t(TEXT.newest), isNewest ? t(TEXT.isNewest) : newest],
          [t(TEXT.state), text ? [text, detail].filter(Boolean).join(' ') : t(TEXT.idle)]
        ]}
      />
    </Card>
  )
}
