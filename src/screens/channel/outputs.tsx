import {
  addChannelOutputs,
  type Channel,
  type ChannelOutput,
  deleteChannelOutputs,
  enableChannelOutputs
} from '../../../contract/stream/channel.ts'
import { CONNECTION, OUTPUT_PROTOCOL_NAMES } from '../../../contract/stream/protocols.ts'
import { addOutput } from '../../../contract/stream/source.ts'
import { ActButton, type Action, Actions, ASK } from '../../parts/actions.tsx'
import { atHub, keyedAddress, listens } from '../../parts/connect-dialog.tsx'
import { Copied } from '../../parts/copy-line.tsx'
import { DeviceName } from '../../parts/device/device-name.tsx'
import { livedSince } from '../../parts/uptime.ts'
import { $may } from '../../state/session.ts'
import { $outputs } from '../../state/sources.ts'
import { change, well } from '../../state/toasts.ts'
import { t } from '../../text/language.ts'
import { bitRate, number } from '../../text/numbers.ts'
import { legWord } from '../../text/states.ts'
import { confirm } from '../../ui/dialog/confirm.tsx'
import { MenuButton } from '../../ui/menu-button.tsx'
import { Since } from '../../ui/since.tsx'
import { State } from '../../ui/state.tsx'
import { useStore } from '../../ui/use-store.ts'
import { inputName, stopped } from './status.ts'
import { $outputDevices } from './store.ts'
import { TEXT } from './text.ts'

interface OutputListProps {
  channel: Channel
  onAdd: () => void
}

/** The outputs of a channel, each with its own life. */
export function OutputList({ channel, onAdd }: OutputListProps) {
  const may = useStore($may)(addChannelOutputs)
  const free = [...useStore($outputs).items, ...useStore($outputDevices).items]
    .filter((output) => may && output['owner-o-d'] === undefined)
    .map(({ id, name }) => ({
      label: name,
      onSelect: () => void change(addChannelOutputs, { id: channel.id, outputs: [id] })
    }))
  return (
    <ul className="lines">
      {channel.outputs.list.map((output) => (
        <OutputLine key={output.id} channel={channel} output={output} />
      ))}
      <li>
        <ActButton call={addOutput} icon="plus" label={t(TEXT.addOutput)} onAct={onAdd} />
        {free.length > 0 && <MenuButton icon="output" label={t(TEXT.savedOutput)} items={free} />}
      </li>
    </ul>
  )
}

function OutputLine({ channel, output }: { channel: Channel; output: ChannelOutput }) {
  const may = useStore($may)(enableChannelOutputs)
  const { id, enable } = output
  const name = inputName(output)
  const on = channel.config.enable && enable
  const saved = useStore($outputs).items.find((one) => one.id === id)
  const device = useStore($outputDevices).items.find((one) => one.id === id)
  const live = on && output['conn-state'] === CONNECTION.connected
  const ask = () => (live ? t(TEXT.stopText) : undefined)
  const detach: Action<ChannelOutput> = {
    call: deleteChannelOutputs,
    icon: 'close',
    verb: TEXT.detach,
    ask,
    run: () => well(change(deleteChannelOutputs, { id: channel.id, outputs: [id] }))
  }
  async function turn(): Promise<void> {
    const text = ask()
    const verb = t(TEXT.stop, name)
    if (!text || (await confirm({ title: t(ASK, verb), text, verb })))
      await change(enableChannelOutputs, { id: channel.id, outputs: [id], enable: !enable })
  }
  return (
    <li>
      <input
        type="checkbox"
        role="switch"
        aria-label={name}
        checked={enable}
        aria-checked={enable}
        disabled={!may}
        onClick={(event) => {
          // It shows what the hub says.
          event.preventDefault()
          void turn()
        }}
      />
      <div>
        <strong>{device ? <DeviceName device={device} /> : name}</strong>{' '}
        <State {...(on ? legWord(output.state, output['conn-state']) : stopped())} />
        {on && (
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
        <Copied
          text={atHub(saved ? keyedAddress(saved) : output.addr)}
          shown={atHub(output.addr)}
          scanned={listens(output.addr)}
        />
      )}
      {on && output['client-num'] !== undefined && (
        <span className="num">{t(TEXT.of, t(TEXT.clients), number(output['client-num']))}</span>
      )}
      {live && <span className="num">{bitRate(output.kbps)}</span>}
      {live && <Since at={livedSince(output)} />}
      <Actions actions={[detach]} rows={[output]} nameOf={() => name} />
    </li>
  )
}
