import { addChannelOutputs, type Channel, type ChannelOutput, deleteChannelOutputs } from '../../../contract/channel.ts'
import { CONNECTION, OUTPUT_PROTOCOL_NAMES } from '../../../contract/protocols.ts'
import { addOutput, deleteOutputs } from '../../../contract/source.ts'
import { ActButton, type Action, Actions } from '../../parts/actions.tsx'
import { atHub, keyedAddress } from '../../parts/connect.tsx'
import { livedSince } from '../../parts/lived.ts'
import { $may } from '../../state/session.ts'
import { $outputs } from '../../state/sources.ts'
import { change, well } from '../../state/toasts.ts'
import { t } from '../../text/language.ts'
import { bitRate } from '../../text/numbers.ts'
import { legWord } from '../../text/states.ts'
import { Copied } from '../../ui/copy-button.tsx'
import { MenuButton } from '../../ui/menu-button.tsx'
import { Since } from '../../ui/since.tsx'
import { State } from '../../ui/state.tsx'
import { useStore } from '../../ui/use-store.ts'
import { stopped } from './said.ts'
import { nameOf, removeOutput } from './store.ts'
import { TEXT } from './text.ts'

interface OutputListProps {
  channel: Channel
  onAdd: () => void
}

/** The outputs of a channel, each with its own life. */
export function OutputList({ channel, onAdd }: OutputListProps) {
  const may = useStore($may)(addChannelOutputs)
  const free = useStore($outputs)
    .items.filter((output) => may && output['owner-o-d'] === undefined)
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
  const on = channel.config.enable
  const saved = useStore($outputs).items.find(({ id }) => id === output.id)
  const live = on && output['conn-state'] === CONNECTION.connected
  const ask = () => (live ? t(TEXT.stopText) : undefined)
  const detach: Action<ChannelOutput> = {
    call: deleteChannelOutputs,
    icon: 'close',
    verb: TEXT.detach,
    ask,
    run: () => well(change(deleteChannelOutputs, { id: channel.id, outputs: [output.id] }))
  }
  const remove: Action<ChannelOutput> = {
    call: deleteOutputs,
    icon: 'delete',
    verb: TEXT.remove,
    kind: 'danger',
    ask,
    run: () => removeOutput(output.id)
  }
  return (
    <li>
      <div>
        <strong>{output.name}</strong> <State {...(on ? legWord(output.state, output['conn-state']) : stopped())} />
        {on && <small className="fault"> {output.reason}</small>}
      </div>
      <span className="muted">{OUTPUT_PROTOCOL_NAMES[output.protocol]}</span>
      <Copied text={atHub(saved ? keyedAddress(saved) : output.addr)} shown={atHub(output.addr)} />
      {live && <span className="num">{bitRate(output.kbps)}</span>}
      {live && <Since at={livedSince(output)} />}
      <Actions actions={[detach, remove]} rows={[output]} nameOf={nameOf} />
    </li>
  )
}
