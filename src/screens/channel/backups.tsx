import { BACKUPS_MAX } from '../../../contract/limits.ts'
import { type Channel, type ChannelInput, setChannel } from '../../../contract/stream/channel.ts'
import { PROTOCOL_NAMES } from '../../../contract/stream/protocols.ts'
import { ActButton, type Action, Actions } from '../../parts/actions.tsx'
import { well } from '../../state/toasts.ts'
import { t } from '../../text/language.ts'
import { bitRate } from '../../text/numbers.ts'
import { Card } from '../../ui/card.tsx'
import { State } from '../../ui/state.tsx'
import { addBackup } from './input-dialog.tsx'
import { inputName, inputWord } from './status.ts'
import { setBackups } from './store.ts'
import { TEXT } from './text.ts'

/** The inputs that take over, in the order in which they do. */
export function Backups({ channel }: { channel: Channel }) {
  const ids = channel.config.backups ?? []
  return (
    <Card title={t(TEXT.backup)}>
      <ul className="lines">
        {channel.backups?.map((leg) => {
          const others = ids.filter((id) => id !== leg.id)
          const before = ids.indexOf(leg.id) - 1
          const raise: Action<ChannelInput> = {
            call: setChannel,
            icon: 'up',
            verb: TEXT.raise,
            fits: () => before >= 0,
            run: () => well(setBackups(channel, others.toSpliced(before, 0, leg.id)))
          }
          const detach: Action<ChannelInput> = {
            call: setChannel,
            icon: 'close',
            verb: TEXT.detach,
            run: () => well(setBackups(channel, others))
          }
          return (
            <li key={leg.id}>
              <div>
                <strong>{inputName(leg)}</strong> <State {...inputWord(channel, leg)} />
                <small className="fault"> {leg.reason}</small>
              </div>
              <span className="muted">{PROTOCOL_NAMES[leg.protocol]}</span>
              {leg.kbps > 0 && <span className="num">{bitRate(leg.kbps)}</span>}
              <Actions actions={[raise, detach]} rows={[leg]} nameOf={inputName} />
            </li>
          )
        })}
        {ids.length < BACKUPS_MAX && (
          <li>
            <ActButton call={setChannel} icon="plus" label={t(TEXT.addBackup)} onAct={() => addBackup(channel)} />
          </li>
        )}
      </ul>
    </Card>
  )
}
