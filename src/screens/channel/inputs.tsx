// The inputs of a channel in the order of failover, each with what it carries now, and the slate.
import type { Health } from '../../../contract/health.ts'
import { BACKUPS_MAX } from '../../../contract/limits.ts'
import { type Channel, setChannel, setChannelInput } from '../../../contract/stream/channel.ts'
import { switchChannelInput } from '../../../contract/stream/channel-actions.ts'
import { isConnected } from '../../../contract/stream/channel-health.ts'
import { differingFormat } from '../../../contract/stream/format.ts'
import type { ChannelInput } from '../../../contract/stream/leg.schema.ts'
import { INPUT_PUBLISHER, isDeviceNode, PROTOCOL_NAMES } from '../../../contract/stream/protocols.ts'
import { setInput } from '../../../contract/stream/source.ts'
import { inputHealth } from '../../other-hubs.ts'
import { type Action, Actions, CallButton } from '../../parts/actions.tsx'
import { roleText } from '../../parts/channel/channel-picture.tsx'
import { isOnAir } from '../../parts/channel/channel-state.ts'
import { reachableAddress } from '../../parts/connect-dialog.tsx'
import { CAMERA } from '../../parts/source/camera-action.ts'
import { CertificateNote } from '../../parts/source/certificate-note.tsx'
import { INPUT_FORM } from '../../parts/source/input-form.ts'
import { openSourceDialog } from '../../parts/source/source-dialog.tsx'
import { upSince } from '../../parts/uptime.ts'
import { succeeded } from '../../state/mutations.ts'
import { $inputs } from '../../state/sources.ts'
import { configuredText, formatText } from '../../text/format.ts'
import type { Verdict } from '../../text/health.ts'
import { type Translation, t } from '../../text/language.ts'
import { bitRate, number } from '../../text/numbers.ts'
import { StatusLabel } from '../../ui/status-label.tsx'
import { useStore } from '../../ui/use-store.ts'
import { openBackupDialog, openInputDialog } from './actions.tsx'
import { flowOf, joinFacts, PathNode, RefusedCallerNote } from './path-node.tsx'
import { TEXT } from './path-text.ts'
import { inputName, setBackups } from './store.ts'
import { switchInput } from './switch-actions.ts'
import * as CHANNEL_TEXT from './text.ts'

export function InputColumn({ channel }: { channel: Channel }) {
  const { config, input, backups = [] } = channel
  const backupIds = config.backups ?? []
  return (
    <section className="path-column" aria-labelledby="path-inputs">
      <h2 id="path-inputs">{t(TEXT.inputs)}</h2>
      <ul className="nodes">
        {input ? <InputNode channel={channel} input={input} backup={0} /> : <MissingInput channel={channel} />}
        {backups.map((backup, index) => (
          <InputNode key={backup.id} channel={channel} input={backup} backup={index + 1} />
        ))}
        {config.slate && <SlateNode channel={channel} />}
      </ul>
      <div className="row">
        {backupIds.length < BACKUPS_MAX && (
          <CallButton
            call={setChannel}
            icon="plus"
            label={t(CHANNEL_TEXT.addBackup)}
            onClick={() => openBackupDialog(channel)}
          />
        )}
      </div>
    </section>
  )
}

interface SwitchButtonProps {
  channel: Channel
  /** Node id, `slate`, or `auto` for the failover rule. */
  input: number | 'slate' | 'auto'
  label: Translation
}

/** A button that puts an input or the slate on air. */
export function SwitchButton({ channel, input, label }: SwitchButtonProps) {
  return <CallButton call={switchChannelInput} label={t(label)} onClick={() => switchInput(channel, input)} />
}

interface InputNodeProps {
  channel: Channel
  input: ChannelInput
  /** Number of the backup, from 1; 0 = the main input. */
  backup: number
}

/** Round trip and loss, where the protocol measures them. */
function lineFacts({ report }: ChannelInput): string[] {
  if (!report) return []
  const { 'rtt-ms': roundTrip, packets = 0, 'pkt-loss-total': lost } = report
  return [
    ...(roundTrip === undefined ? [] : [t(TEXT.roundTrip, number(roundTrip))]),
    ...(lost === undefined || !packets ? [] : [t(TEXT.loss, number((100 * lost) / (packets + lost), 2))])
  ]
}

/**
 * The verdict on an input with media. What arrives is on air only while the channel is: an input may have received for
 * longer.
 * @param isSelected whether it is the input on air
 */
function healthOfMedia(channel: Channel, health: Health<Verdict>, isSelected: boolean): Health<Verdict> {
  if (!isSelected) return { verdict: 'standby' }
  return isOnAir(channel)
    ? { ...health, since: Math.max(health.since ?? 0, upSince(channel)) }
    : { ...health, verdict: 'receiving' }
}

function InputNode({ channel, input, backup }: InputNodeProps) {
  const { config, 'on-air': onAir } = channel
  const health = inputHealth(channel, input)
  const isConnectedNow = config.enable && isConnected(input)
  const isSelected = !onAir?.slate && (onAir ? onAir.input === input.id : backup === 0)
  const kind = isDeviceNode(input.type) ? t(TEXT.device) : PROTOCOL_NAMES[input.protocol]
  const { format, configured } = input
  const difference = format && configured && configuredText(differingFormat(format, configured))
  return (
    <PathNode
      health={health.verdict === 'on-air' ? healthOfMedia(channel, health, isSelected) : health}
      flow={flowOf(health, isSelected)}
      name={input.type === INPUT_PUBLISHER && !input.name ? t(TEXT.publisher) : inputName(input)}
      value={isConnectedNow && bitRate(input.kbps)}
      actions={
        <>
          {isConnectedNow && !isSelected && (
            <SwitchButton channel={channel} input={input.id} label={backup ? TEXT.putOnAir : TEXT.toMain} />
          )}
          <InputActions channel={channel} input={input} backup={backup} />
        </>
      }
    >
      <small>
        {joinFacts([
          roleText(backup),
          kind,
          input.addr && input.addr !== input.name && reachableAddress(input.addr),
          ...(isConnectedNow ? lineFacts(input) : [])
        ])}
      </small>
      {input['accepts-any-certificate'] && <CertificateNote />}
      <RefusedCallerNote {...input} />
      {input.hidden && <small>{t(CHANNEL_TEXT.hiddenText)}</small>}
      {format && <small>{formatText(format)}</small>}
      {difference && (
        <small>
          <StatusLabel tone="warn" text={t(TEXT.configured, difference)} />
        </small>
      )}
    </PathNode>
  )
}

/** Edit of a saved input; choice of another main input; order and removal of a backup. */
function InputActions({ channel, input, backup }: InputNodeProps) {
  const savedInput = useStore($inputs).items.find(({ id }) => id === input.id)
  const ids = channel.config.backups ?? []
  const remaining = ids.filter((id) => id !== input.id)
  const edit: Action<ChannelInput> = {
    call: setInput,
    icon: 'edit',
    verb: TEXT.edit,
    isApplicable: () => savedInput !== undefined,
    run: async () => savedInput !== undefined && openSourceDialog(INPUT_FORM, { source: savedInput })
  }
  const change: Action<ChannelInput> = {
    call: setChannelInput,
    icon: 'input',
    verb: CHANNEL_TEXT.setInput,
    isApplicable: () => backup === 0,
    run: () => openInputDialog(channel)
  }
  const raise: Action<ChannelInput> = {
    call: setChannel,
    icon: 'up',
    verb: CHANNEL_TEXT.raise,
    isApplicable: () => backup > 1,
    run: () => succeeded(setBackups(channel, remaining.toSpliced(backup - 2, 0, input.id)))
  }
  const detach: Action<ChannelInput> = {
    call: setChannel,
    icon: 'close',
    verb: CHANNEL_TEXT.detach,
    isApplicable: () => backup > 0,
    run: () => succeeded(setBackups(channel, remaining))
  }
  return (
    <>
      {savedInput && <Actions actions={[CAMERA]} rows={[savedInput]} nameOf={({ name }) => name} />}
      <Actions actions={[edit, change, raise, detach]} rows={[input]} nameOf={inputName} />
    </>
  )
}

/** In place of the main input: nothing is configured, so the channel takes a publisher when it is started. */
function MissingInput({ channel }: { channel: Channel }) {
  return (
    <PathNode
      health={{ verdict: 'stopped' }}
      flow="idle"
      name={t(TEXT.noInput)}
      actions={
        <CallButton call={setChannelInput} label={t(CHANNEL_TEXT.addInput)} onClick={() => openInputDialog(channel)} />
      }
    />
  )
}

function SlateNode({ channel }: { channel: Channel }) {
  const { config, 'on-air': onAir } = channel
  const isOnAir = onAir?.slate === true
  return (
    <PathNode
      health={{ verdict: config.enable ? (isOnAir ? 'on-air' : 'standby') : 'stopped' }}
      flow={isOnAir ? 'live' : 'idle'}
      name={t(TEXT.slate)}
      actions={config.enable && !isOnAir && <SwitchButton channel={channel} input="slate" label={TEXT.putOnAir} />}
    >
      <small>{t(TEXT.slateText)}</small>
    </PathNode>
  )
}
