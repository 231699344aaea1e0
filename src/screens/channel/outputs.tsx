import type { Channel, ChannelOutput } from '../../../contract/channel.ts'
import { CONNECTION, PROTOCOL_NAMES } from '../../../contract/protocols.ts'
import { addOutput, deleteOutputs } from '../../../contract/source.ts'
import { ActButton, type Action, Actions } from '../../parts/actions.tsx'
import { atHub } from '../../parts/connect.tsx'
import { livedSince } from '../../parts/lived.ts'
import { t } from '../../text/language.ts'
import { bitRate } from '../../text/numbers.ts'
import { legWord } from '../../text/states.ts'
import { Copied } from '../../ui/copy-button.tsx'
import { Since } from '../../ui/since.tsx'
import { State } from '../../ui/state.tsx'
import { stopped } from './said.ts'
import { nameOf, removeOutput } from './store.ts'
import { TEXT } from './text.ts'

interface OutputListProps {
  channel: Channel
  onAdd: () => void
}

/** The outputs of a channel, each with its own life. */
export function OutputList({ channel, onAdd }: OutputListProps) {
  return (
    <>
      <ul className="lines">
        {channel.outputs.list.map((output) => (
          <OutputLine key={output.id} channel={channel} output={output} />
        ))}
      </ul>
      <ActButton call={addOutput} icon="plus" label={t(TEXT.addOutput)} onAct={onAdd} />
    </>
  )
}

function OutputLine({ channel, output }: { channel: Channel; output: ChannelOutput }) {
  const on = channel.config.enable
  const live = on && output['conn-state'] === CONNECTION.connected
  const remove: Action<ChannelOutput> = {
    call: deleteOutputs,
    icon: 'delete',
    verb: TEXT.remove,
    kind: 'danger',
    ask: () => (live ? t(TEXT.stopText) : undefined),
    run: () => removeOutput(output.id)
  }
  return (
    <li>
      <div>
        <strong>{output.name}</strong> <State {...(on ? legWord(output.state, output['conn-state']) : stopped())} />
        {on && <small className="fault">{output.reason}</small>}
      </div>
      <span className="muted">{PROTOCOL_NAMES[output.protocol]}</span>
      <Copied text={atHub(output.addr)} />
      {live && <span className="num">{bitRate(output.kbps)}</span>}
      {live && <Since at={livedSince(output)} />}
      <Actions actions={[remove]} rows={[output]} nameOf={nameOf} />
    </li>
  )
}
