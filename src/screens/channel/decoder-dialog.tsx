// Sends a channel to a decoder: lists the devices that can play it, with their states.

import { addChannelOutputs, type Channel } from '../../../contract/stream/channel.ts'
import { deviceHealth } from '../../other-hubs.ts'
import { CallButton } from '../../parts/actions.tsx'
import { LoadState } from '../../parts/load-state.tsx'
import { $outputDevices } from '../../state/channel-devices.ts'
import { sendMutation, succeeded } from '../../state/mutations.ts'
import { healthLabel } from '../../text/health.ts'
import { type Translation, t } from '../../text/language.ts'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { StatusLabel } from '../../ui/status-label.tsx'
import * as UI from '../../ui/text.ts'
import { useStore } from '../../ui/use-store.ts'
import { TEXT as DIALOG_TEXT } from './dialog-text.ts'
import { channelSuccess } from './store.ts'

const TEXT = {
  of: ['Send {0} to a decoder', '将 {0} 发送到解码器'],
  sendTo: ['Send to {0}', '发送到 {0}'],
  sent: ['{0} is being sent to the decoder', '正在将 {0} 发送到解码器'],
  plays: ['Plays {0}', '正在播放 {0}'],
  others: ['a channel of other users', '其他用户的频道']
} as const satisfies Record<string, Translation>

interface DecoderDialogProps {
  channel: Channel
  onClose: (completed?: boolean) => void
}

export function DecoderDialog({ channel, onClose }: DecoderDialogProps) {
  const devices = useStore($outputDevices).items
  const send = async (id: number) => {
    const success = channelSuccess(TEXT.sent, [channel])
    const isSent = await succeeded(sendMutation(addChannelOutputs, { id: channel.id, outputs: [id] }, { success }))
    if (isSent) onClose(true)
  }
  return (
    <Dialog title={t(TEXT.of, channel.name)} cancelLabel={t(UI.close)} onClose={() => onClose()}>
      <LoadState store={$outputDevices} isEmpty={devices.length === 0} emptyText={t(DIALOG_TEXT.noDecoder)}>
        <ul className="lines">
          {devices.map((device) => {
            const { id, name, 'owner-o': owner, 'owner-hidden': isOthers } = device
            const isFree = owner === undefined && !isOthers
            return (
              <li key={id}>
                <div>
                  <strong>{name}</strong> <StatusLabel {...healthLabel(deviceHealth(device))} />
                  <br />
                  <small className="muted">
                    {device['module-name']}
                    {!isFree && ` · ${t(TEXT.plays, owner ?? t(TEXT.others))}`}
                  </small>
                </div>
                {isFree && (
                  <CallButton
                    call={addChannelOutputs}
                    icon="output"
                    label={t(TEXT.sendTo, name)}
                    onClick={() => send(id)}
                  />
                )}
              </li>
            )
          })}
        </ul>
      </LoadState>
    </Dialog>
  )
}
