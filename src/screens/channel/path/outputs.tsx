// The outputs of a channel: where each sends to, whether it does, and why not.
import type { Channel, ChannelOutput } from '../../../../contract/stream/channel.ts'
import { outputHealth } from '../../../../contract/stream/channel-health.ts'
import { OUTPUT_PROTOCOL_NAMES } from '../../../../contract/stream/protocols.ts'
import { addressWithKey, isListenAddress, reachableAddress } from '../../../parts/connect-dialog.tsx'
import { CopyLine } from '../../../parts/copy-line.tsx'
import { DeviceName } from '../../../parts/device/device-name.tsx'
import { $outputs } from '../../../state/sources.ts'
import { t } from '../../../text/language.ts'
import { bitRate, number } from '../../../text/numbers.ts'
import { useStore } from '../../../ui/use-store.ts'
import { openDecoderDialog, openOutputDialog } from '../actions.tsx'
import { OutputActions, OutputButtons, OutputSwitch, useOutputOfQuery } from '../outputs.tsx'
import { inputName } from '../status.ts'
import { $outputDevices } from '../store.ts'
import { flowOf } from './flow.ts'
import { PathNode } from './node.tsx'
import { TEXT } from './text.ts'

export function OutputColumn({ channel }: { channel: Channel }) {
  useOutputOfQuery(channel)
  const { list } = channel.outputs
  const enabled = list.filter(({ enable }) => enable)
  const live = enabled.filter((output) => outputHealth(channel, output).verdict === 'on-air')
  return (
    <section className="path-column" aria-labelledby="path-outputs">
      <h2>
        <span id="path-outputs">{t(TEXT.outputs)}</span>
        {channel.config.enable && enabled.length > 0 && (
          <small> · {t(TEXT.outputsLive, live.length, enabled.length)}</small>
        )}
      </h2>
      <ul>
        {list.map((output) => (
          <OutputNode key={output.id} channel={channel} output={output} />
        ))}
      </ul>
      <div className="row">
        <OutputButtons
          channel={channel}
          onAdd={() => openOutputDialog(channel)}
          onSendToDecoder={() => openDecoderDialog(channel)}
        />
      </div>
    </section>
  )
}

function OutputNode({ channel, output }: { channel: Channel; output: ChannelOutput }) {
  const savedOutput = useStore($outputs).items.find(({ id }) => id === output.id)
  const device = useStore($outputDevices).items.find(({ id }) => id === output.id)
  const health = outputHealth(channel, output)
  const isLive = health.verdict === 'on-air'
  const { addr, 'client-num': clients } = output
  const isOn = channel.config.enable && output.enable
  return (
    <PathNode
      health={health}
      flow={flowOf(health)}
      lead={<OutputSwitch channel={channel} output={output} />}
      name={device ? <DeviceName device={device} /> : inputName(output)}
      value={isLive && bitRate(output.kbps)}
      note={isOn && clients !== undefined && <small className="num">{t(TEXT.connected, number(clients))}</small>}
      cause={isOn ? [output.reason, output['next-step']] : undefined}
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
    </PathNode>
  )
}
