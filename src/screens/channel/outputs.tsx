// The outputs of a channel: where each sends to, whether it does, and why not. On the page of the channel and in the
// list of channels.
import {
  addChannelOutputs,
  type Channel,
  deleteChannelOutputs,
  enableChannelOutputs
} from '../../../contract/stream/channel.ts'
import type { ChannelOutput } from '../../../contract/stream/leg.schema.ts'
import { OUTPUT_PROTOCOL_NAMES } from '../../../contract/stream/protocols.ts'
import { addOutput, setOutput } from '../../../contract/stream/source.ts'
import { asksBeforeOffAir, outputHealth } from '../../other-hubs.ts'
import { type Action, Actions, CallButton } from '../../parts/actions.tsx'
import { outputsText } from '../../parts/channel/channel-state.ts'
import { addressWithKey, isListenAddress, reachableAddress, subStreamAddress } from '../../parts/connect-dialog.tsx'
import { CopyLine } from '../../parts/copy-line.tsx'
import { DeviceName } from '../../parts/device/device-facts.tsx'
import { $limitReasons } from '../../parts/license-limits.ts'
import { useQueryRequest } from '../../parts/query-request.ts'
import { CertificateNote } from '../../parts/source/certificate-note.tsx'
import { OUTPUT_FORM } from '../../parts/source/output-form.ts'
import { openSourceDialog } from '../../parts/source/source-dialog.tsx'
import { SUB_STREAM } from '../../parts/source/sub-stream.ts'
import { $outputDevices } from '../../state/channel-devices.ts'
import { sendMutation, succeeded } from '../../state/mutations.ts'
import { $isAllowed } from '../../state/session.ts'
import { $outputs } from '../../state/sources.ts'
import { type Translation, t } from '../../text/language.ts'
import { bitRate, number } from '../../text/numbers.ts'
import * as OUTCOME from '../../text/outcomes.ts'
import { confirm } from '../../ui/dialog/confirm.tsx'
import { MenuButton } from '../../ui/menu-button.tsx'
import { useStore } from '../../ui/use-store.ts'
import { openDecoderDialog, openOutputDialog, outputLimitReason } from './actions.tsx'
import { flowOf, PathNode, RefusedCallerNote } from './path-node.tsx'
import { TEXT } from './path-text.ts'
import { channelSuccess, inputName } from './store.ts'
import * as CHANNEL_TEXT from './text.ts'

export function OutputColumn({ channel }: { channel: Channel }) {
  return (
    <section className="path-column" aria-labelledby="path-outputs">
      <h2>
        <span id="path-outputs">{t(CHANNEL_TEXT.outputs)}</span>
        {channel.config.enable && <small> · {outputsText(channel, true)}</small>}
      </h2>
      <OutputList channel={channel} />
    </section>
  )
}

export function OutputList({ channel }: { channel: Channel }) {
  const isAllowed = useStore($isAllowed)
  const saved = useStore($outputs).items
  useQueryRequest(
    'output',
    (requested) => saved.find(({ id, 'owner-o-d': owner }) => String(id) === requested && owner === channel.id),
    (output) => isAllowed(setOutput) && void openSourceDialog(OUTPUT_FORM, { source: output })
  )
  return (
    <>
      <ul className="nodes">
        {channel.outputs.list.map((output) => (
          <OutputNode key={output.id} channel={channel} output={output} />
        ))}
      </ul>
      <div className="row">
        <OutputButtons channel={channel} />
      </div>
    </>
  )
}

/** Why the licence allows no further output of a channel. */
function useOutputLimit(channel: Channel): string | undefined {
  useStore($limitReasons)
  return outputLimitReason(channel)
}

/** Buttons that add an output to a channel: a new one, a decoder, a saved one that no channel uses. */
function OutputButtons({ channel }: { channel: Channel }) {
  const isAllowed = useStore($isAllowed)(addChannelOutputs)
  const reason = useOutputLimit(channel)
  const availableOutputs = useStore($outputs)
    .items.filter((output) => isAllowed && output['owner-o-d'] === undefined && !output['owner-hidden'])
    .map(({ id, name }) => ({
      label: name,
      disabled: reason !== undefined,
      tooltip: reason,
      onSelect: () =>
        void sendMutation(
          addChannelOutputs,
          { id: channel.id, outputs: [id] },
          { success: { ...channelSuccess(OUTCOME.added, [channel]), names: [name] } }
        )
    }))
  return (
    <>
      <CallButton
        call={addOutput}
        icon="plus"
        label={t(CHANNEL_TEXT.addOutput)}
        disabledReason={reason}
        onClick={() => openOutputDialog(channel)}
      />
      <CallButton
        call={addChannelOutputs}
        icon="devices"
        label={t(CHANNEL_TEXT.sendToDecoder)}
        disabledReason={reason}
        onClick={() => openDecoderDialog(channel)}
      />
      {availableOutputs.length > 0 && (
        <MenuButton icon="output" label={t(CHANNEL_TEXT.savedOutput)} items={availableOutputs} />
      )}
    </>
  )
}

const OPERATION_DENIED: Translation = ['You do not have operation permission', '您没有操作权限']

interface OutputProps {
  channel: Channel
  output: ChannelOutput
}

/** What to ask before an output is taken from its viewers; undefined: nothing, or the hub asks. */
const stopQuestion = ({ channel, output }: OutputProps): string | undefined =>
  outputHealth(channel, output).verdict === 'on-air' && !asksBeforeOffAir(channel)
    ? t(CHANNEL_TEXT.stopText)
    : undefined

/** Whether an output of a channel is to run. Asks before it takes the picture from viewers. */
function OutputSwitch({ channel, output }: OutputProps) {
  const isAllowed = useStore($isAllowed)(enableChannelOutputs)
  const limit = useOutputLimit(channel)
  const { id, enable } = output
  const name = inputName(output)
  async function toggle(): Promise<void> {
    const verb = t(CHANNEL_TEXT.stop, name)
    const text = stopQuestion({ channel, output })
    if (!text || (await confirm({ text, confirmLabel: verb })))
      await sendMutation(
        enableChannelOutputs,
        { id: channel.id, outputs: [id], enable: !enable },
        { success: { text: enable ? OUTCOME.stopped : OUTCOME.started, names: [name] } }
      )
  }
  return (
    <span data-tip={isAllowed ? (enable ? undefined : limit) : t(OPERATION_DENIED)}>
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
    </span>
  )
}

/** Editing an output, if it is a saved one, and removing it from its channel. */
function OutputActions({ channel, output }: OutputProps) {
  const savedOutput = useStore($outputs).items.find(({ id }) => id === output.id)
  const name = inputName(output)
  const edit: Action<ChannelOutput> = {
    call: setOutput,
    icon: 'edit',
    verb: CHANNEL_TEXT.edit,
    isApplicable: () => savedOutput !== undefined,
    run: async () => savedOutput !== undefined && openSourceDialog(OUTPUT_FORM, { source: savedOutput })
  }
  const detach: Action<ChannelOutput> = {
    call: deleteChannelOutputs,
    icon: 'close',
    verb: CHANNEL_TEXT.detach,
    confirmText: () => stopQuestion({ channel, output }),
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

function OutputNode({ channel, output }: OutputProps) {
  const savedOutput = useStore($outputs).items.find(({ id }) => id === output.id)
  const device = useStore($outputDevices).items.find(({ id }) => id === output.id)
  const health = outputHealth(channel, output)
  const isLive = health.verdict === 'on-air'
  const { addr, 'client-num': clients } = output
  const isOn = channel.config.enable && output.enable
  const subAddress = savedOutput && subStreamAddress(savedOutput)
  return (
    <PathNode
      health={health}
      flow={flowOf(health)}
      lead={<OutputSwitch channel={channel} output={output} />}
      name={device ? <DeviceName device={device} /> : inputName(output)}
      value={isLive && (clients && clients > 1 ? t(TEXT.inAll, bitRate(output.kbps)) : bitRate(output.kbps))}
      note={isOn && clients !== undefined && <small className="num">{t(TEXT.connected, number(clients))}</small>}
      actions={<OutputActions channel={channel} output={output} />}
    >
      <div className="node-line">
        <small>{OUTPUT_PROTOCOL_NAMES[output.protocol] ?? device?.['module-name'] ?? t(TEXT.device)}</small>
        {addr && (
          <CopyLine
            text={reachableAddress(savedOutput ? addressWithKey(savedOutput) : addr)}
            displayText={reachableAddress(addr)}
            qrCode={isListenAddress(addr)}
          />
        )}
      </div>
      {output['accepts-any-certificate'] && <CertificateNote />}
      <RefusedCallerNote {...output} />
      {subAddress && (
        <div className="node-line">
          <small>{t(SUB_STREAM)}</small>
          <CopyLine text={reachableAddress(subAddress)} displayText={reachableAddress(addr)} qrCode />
        </div>
      )}
    </PathNode>
  )
}
