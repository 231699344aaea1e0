import {
  addChannelOutputs,
  type Channel,
  type ChannelOutput,
  deleteChannelOutputs,
  enableChannelOutputs
} from '../../../contract/stream/channel.ts'
import { CONNECTION_STATE, OUTPUT_PROTOCOL_NAMES } from '../../../contract/stream/protocols.ts'
import { addOutput } from '../../../contract/stream/source.ts'
import { type Action, Actions, CallButton, QUESTION } from '../../parts/actions.tsx'
import { addressWithKey, isListenAddress, reachableAddress } from '../../parts/connect-dialog.tsx'
import { CopyLine } from '../../parts/copy-line.tsx'
import { DeviceName } from '../../parts/device/device-name.tsx'
import { upSince } from '../../parts/uptime.ts'
import { sendMutation, succeeded } from '../../state/mutations.ts'
import { $isAllowed } from '../../state/session.ts'
import { $outputs } from '../../state/sources.ts'
import { t } from '../../text/language.ts'
import { bitRate, number } from '../../text/numbers.ts'
import { legLabel } from '../../text/states.ts'
import { confirm } from '../../ui/dialog/confirm.tsx'
import { ElapsedTime } from '../../ui/elapsed-time.tsx'
import { MenuButton } from '../../ui/menu-button.tsx'
import { StatusLabel } from '../../ui/status-label.tsx'
import { useStore } from '../../ui/use-store.ts'
import { inputName, stoppedState } from './status.ts'
import { $outputDevices } from './store.ts'
import { TEXT } from './text.ts'

interface OutputListProps {
  channel: Channel
  onAdd: () => void
}

/** The outputs of a channel, each with its own state. */
export function OutputList({ channel, onAdd }: OutputListProps) {
  const isAllowed = useStore($isAllowed)(addChannelOutputs)
  const availableOutputs = [...useStore($outputs).items, ...useStore($outputDevices).items]
    .filter((output) => isAllowed && output['owner-o-d'] === undefined)
    .map(({ id, name }) => ({
      label: name,
      onSelect: () => void sendMutation(addChannelOutputs, { id: channel.id, outputs: [id] })
    }))
  return (
    <ul className="lines">
      {channel.outputs.list.map((output) => (
        <OutputLine key={output.id} channel={channel} output={output} />
      ))}
      <li>
        <CallButton call={addOutput} icon="plus" label={t(TEXT.addOutput)} onClick={onAdd} />
        {availableOutputs.length > 0 && (
          <MenuButton icon="output" label={t(TEXT.savedOutput)} items={availableOutputs} />
        )}
      </li>
    </ul>
  )
}

function OutputLine({ channel, output }: { channel: Channel; output: ChannelOutput }) {
  const isAllowed = useStore($isAllowed)(enableChannelOutputs)
  const { id, enable } = output
  const name = inputName(output)
  const isOn = channel.config.enable && enable
  const savedOutput = useStore($outputs).items.find((entry) => entry.id === id)
  const device = useStore($outputDevices).items.find((entry) => entry.id === id)
  const isLive = isOn && output['conn-state'] === CONNECTION_STATE.connected
  const confirmText = () => (isLive ? t(TEXT.stopText) : undefined)
  const detach: Action<ChannelOutput> = {
    call: deleteChannelOutputs,
    icon: 'close',
    verb: TEXT.detach,
    confirmText,
    run: () => succeeded(sendMutation(deleteChannelOutputs, { id: channel.id, outputs: [id] }))
  }
  async function toggle(): Promise<void> {
    const text = confirmText()
    const verb = t(TEXT.stop, name)
    if (!text || (await confirm({ title: t(QUESTION, verb), text, confirmLabel: verb })))
      await sendMutation(enableChannelOutputs, { id: channel.id, outputs: [id], enable: !enable })
  }
  return (
    <li>
      <input
        type="checkbox"
        role="switch"
        aria-label={name}
        checked={enable}
        aria-checked={enable}
        disabled={!isAllowed}
        onClick={(event) => {
          // The switch shows the state that the hub reports, not the click.
          event.preventDefault()
          void toggle()
        }}
      />
      <div>
        <strong>{device ? <DeviceName device={device} /> : name}</strong>{' '}
        <StatusLabel {...(isOn ? legLabel(output.state, output['conn-state']) : stoppedState())} />
        {isOn && (
          <small className="fault">
            {' '}
            {output.reason}
            <br />
            {output['next-step']}
          </small>
        )}
      </div>
      <span className="muted">{OUTPUT_PROTOCOL_NAMES[output.protocol] ?? device?.['module-name']}</span>
      {output.addr && (
        <CopyLine
          text={reachableAddress(savedOutput ? addressWithKey(savedOutput) : output.addr)}
          displayText={reachableAddress(output.addr)}
          qrCode={isListenAddress(output.addr)}
        />
      )}
      {isOn && output['client-num'] !== undefined && (
        <span className="num">{t(TEXT.of, t(TEXT.clients), number(output['client-num']))}</span>
      )}
      {isLive && <span className="num">{bitRate(output.kbps)}</span>}
      {isLive && <ElapsedTime since={upSince(output)} />}
      <Actions actions={[detach]} rows={[output]} nameOf={() => name} />
    </li>
  )
}
