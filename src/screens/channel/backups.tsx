import { BACKUPS_MAX } from '../../../contract/limits.ts'
import { type Channel, type ChannelInput, setChannel } from '../../../contract/stream/channel.ts'
import { PROTOCOL_NAMES } from '../../../contract/stream/protocols.ts'
import { type Action, Actions, CallButton } from '../../parts/actions.tsx'
import { succeeded } from '../../state/mutations.ts'
import { t } from '../../text/language.ts'
import { bitRate } from '../../text/numbers.ts'
import { Card } from '../../ui/card.tsx'
import { StatusLabel } from '../../ui/status-label.tsx'
import { openBackupDialog } from './input-dialog.tsx'
import { inputName, inputState } from './status.ts'
import { setBackups } from './store.ts'
import { TEXT } from './text.ts'

/** The backup inputs, in the order of failover. */
export function BackupsCard({ channel }: { channel: Channel }) {
  const ids = channel.config.backups ?? []
  return (
    <Card title={t(TEXT.backup)}>
      <ul className="lines">
        {channel.backups?.map((input) => {
          const remaining = ids.filter((id) => id !== input.id)
          const previousIndex = ids.indexOf(input.id) - 1
          const raise: Action<ChannelInput> = {
            call: setChannel,
            icon: 'up',
            verb: TEXT.raise,
            isApplicable: () => previousIndex >= 0,
            run: () => succeeded(setBackups(channel, remaining.toSpliced(previousIndex, 0, input.id)))
          }
          const detach: Action<ChannelInput> = {
            call: setChannel,
            icon: 'close',
            verb: TEXT.detach,
            run: () => succeeded(setBackups(channel, remaining))
          }
          return (
            <li key={input.id}>
              <div>
                <strong>{inputName(input)}</strong> <StatusLabel {...inputState(channel, input)} />
                <small className="fault"> {input.reason}</small>
              </div>
              <span className="muted">{PROTOCOL_NAMES[input.protocol]}</span>
              {input.kbps > 0 && <span className="num">{bitRate(input.kbps)}</span>}
              <Actions actions={[raise, detach]} rows={[input]} nameOf={inputName} />
            </li>
          )
        })}
        {ids.length < BACKUPS_MAX && (
          <li>
            <CallButton
              call={setChannel}
              icon="plus"
              label={t(TEXT.addBackup)}
              onClick={() => openBackupDialog(channel)}
            />
          </li>
        )}
      </ul>
    </Card>
  )
}
