import { useLayoutEffect } from 'react'
import {
  addChannelOutputs,
  type Channel,
  type ChannelOutput,
  deleteChannelOutputs,
  enableChannelOutputs
} from '../../../contract/stream/channel.ts'
import { outputHealth } from '../../../contract/stream/channel-health.ts'
import { CONNECTION_STATE, OUTPUT_PROTOCOL_NAMES } from '../../../contract/stream/protocols.ts'
import { addOutput, setOutput } from '../../../contract/stream/source.ts'
import { type Action, Actions, CallButton, QUESTION } from '../../parts/actions.tsx'
import { addressWithKey, isListenAddress, reachableAddress } from '../../parts/connect-dialog.tsx'
import { CopyLine } from '../../parts/copy-line.tsx'
import { DeviceName } from '../../parts/device/device-name.tsx'
import { openEditOutput } from '../../parts/source/edit-output.ts'
import { upSince } from '../../parts/uptime.ts'
import { setQuery, useQuery } from '../../state/location.ts'
import { sendMutation, succeeded } from '../../state/mutations.ts'
import { $isAllowed } from '../../state/session.ts'
import { $outputs } from '../../state/sources.ts'
import { healthLabel, healthSentence } from '../../text/health.ts'
import { t } from '../../text/language.ts'
import { bitRate, number } from '../../text/numbers.ts'
import * as OUTCOME from '../../text/outcomes.ts'
import { confirm } from '../../ui/dialog/confirm.tsx'
import { ElapsedTime } from '../../ui/elapsed-time.tsx'
import { MenuButton } from '../../ui/menu-button.tsx'
import { StatusLabel } from '../../ui/status-label.tsx'
import { useStore } from '../../ui/use-store.ts'
import { inputName } from './status.ts'
import { $outputDevices, channelSuccess } from './store.ts'
import * as TEXT from './text.ts'

interface OutputListProps {
  channel: Channel
  onAdd: () => void
  onSendToDecoder: () => unknown
}

/** The outputs of a channel, each with its own state. */
export function OutputList({ channel, onAdd, onSendToDecoder }: OutputListProps) {
  useOutputOfQuery(channel)
  return (
    <ul className="lines">
      {channel.outputs.list.map((output) => (
        <OutputLine key={output.id} channel={channel} output={output} />
      ))}
      <li>
        <OutputButtons channel={channel} onAdd={onAdd} onSendToDecoder={onSendToDecoder} />
      </li>
    </ul>
  )
}

/** Buttons that add an output to a channel: a new one, a decoder, a saved one that no channel uses. */
export function OutputButtons({ channel, onAdd, onSendToDecoder }: OutputListProps) {
  const isAllowed = useStore($isAllowed)(addChannelOutputs)
  const availableOutputs = useStore($outputs)
    .items.filter((output) => isAllowed && output['owner-o-d'] === undefined && !output['owner-hidden'])
    .map(({ id, name }) => ({
      label: name,
      onSelect: () =>
        void sendMutation(
          addChannelOutputs,
          { id: channel.id, outputs: [id] },
          { success: { ...channelSuccess(OUTCOME.added, [channel]), names: [name] } }
        )
    }))
  return (
    <>
      <CallButton call={addOutput} icon="plus" label={t(TEXT.addOutput)} onClick={onAdd} />
      <CallButton call={addChannelOutputs} icon="devices" label={t(TEXT.sendToDecoder)} onClick={onSendToDecoder} />
      {availableOutputs.length > 0 && <MenuButton icon="output" label={t(TEXT.savedOutput)} items={availableOutputs} />}
    </>
  )
}

/** Opens the dialog of the output in the query of the page, `?output=<id>`, once. */
export function useOutputOfQuery(channel: Channel): void {
  const id = Number(useQuery().get('output'))
  const output = useStore($outputs).items.find((entry) => entry.id === id && entry['owner-o-d'] === channel.id)
  const mayEdit = useStore($isAllowed)(setOutput)
  useLayoutEffect(() => {
    if (!output) return
    setQuery({ output: undefined })
    if (mayEdit) void openEditOutput(output)
  }, [output?.id])
}

interface OutputProps {
  channel: Channel
  output: ChannelOutput
}

/** Whether an output of a channel is to run. Asks before it takes the picture from viewers. */
export function OutputSwitch({ channel, output }: OutputProps) {
  const isAllowed = useStore($isAllowed)(enableChannelOutputs)
  const { id, enable } = output
  const name = inputName(output)
  async function toggle(): Promise<void> {
    const verb = t(TEXT.stop, name)
    const isLive = outputHealth(channel, output).verdict === 'on-air'
    if (!isLive || (await confirm({ title: t(QUESTION, verb), text: t(TEXT.stopText), confirmLabel: verb })))
      await sendMutation(
        enableChannelOutputs,
        { id: channel.id, outputs: [id], enable: !enable },
        { success: { text: enable ? OUTCOME.stopped : OUTCOME.started, names: [name] } }
      )
  }
  return (
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
  )
}

/** Editing an output, if it is a saved one, and removing it from its channel. */
export function OutputActions({ channel, output }: OutputProps) {
  const savedOutput = useStore($outputs).items.find(({ id }) => id === output.id)
  const name = inputName(output)
  const edit: Action<ChannelOutput> = {
    call: setOutput,
    icon: 'edit',
    verb: TEXT.edit,
    isApplicable: () => savedOutput !== undefined,
    run: async () => savedOutput !== undefined && openEditOutput(savedOutput)
  }
  const detach: Action<ChannelOutput> = {
    call: deleteChannelOutputs,
    icon: 'close',
    verb: TEXT.detach,
    confirmText: () => (outputHealth(channel, output).verdict === 'on-air' ? t(TEXT.stopText) : undefined),
    run: () =>
      succeeded(
        sendMutation(
          deleteChannelOutputs,
          { id: channel.id, outputs: [output.id] },
          { success: { text: OUTCOME.removed, names: [name] } }
        )
      )
  }
  return <Actions actions={[edit, detach]} rows={[output]} nameOf={() => name} />
}

function OutputLine({ channel, output }: OutputProps) {
  const { id, enable } = output
  const name = inputName(output)
  const isOn = channel.config.enable && enable
  const health = outputHealth(channel, output)
  const { why, todo } = healthSentence(health)
  const savedOutput = useStore($outputs).items.find((entry) => entry.id === id)
  const device = useStore($outputDevices).items.find((entry) => entry.id === id)
  const isLive = isOn && output['conn-state'] === CONNECTION_STATE.connected
  return (
    <li>
      <OutputSwitch channel={channel} output={output} />
      <div>
        <strong>{device ? <DeviceName device={device} /> : name}</strong> <StatusLabel {...healthLabel(health)} />
        {isOn && (
          <small className="fault">
            {' '}
            {why}
            <br />
            {todo}
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
      <OutputActions channel={channel} output={output} />
    </li>
  )
}
