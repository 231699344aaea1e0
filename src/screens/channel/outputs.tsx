import { type Channel, type ChannelOutput, deleteChannelOutputs } from '../../../contract/channel.ts'
import { CONNECTION, PROTOCOL_NAMES } from '../../../contract/protocols.ts'
import { addOutput } from '../../../contract/source.ts'
import { ActButton, type Action, Actions } from '../../parts/actions.tsx'
import { livedSince } from '../../parts/lived.ts'
import { t } from '../../text/language.ts'
import { bitRate } from '../../text/numbers.ts'
import { legWord } from '../../text/states.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Since } from '../../ui/since.tsx'
import { State } from '../../ui/state.tsx'
import { removeOutput } from './store.ts'
import { TEXT } from './text.ts'

interface OutputListProps {
  channel: Channel
  onAdd: () => void
}

/** The outputs of a channel, each with its own life. */
export function OutputList({ channel, onAdd }: OutputListProps) {
  const { list } = channel.outputs
  return (
    <div className="stack">
      {list.length === 0 && <p className="muted">{t(TEXT.noOutputs)}</p>}
      {list.length > 0 && (
        <ul className="outputs">
          {list.map((output) => (
            <OutputLine key={output.id} channel={channel} output={output} />
          ))}
        </ul>
      )}
      <div>
        <ActButton call={addOutput} icon="plus" label={t(TEXT.addOutput)} onAct={onAdd} />
      </div>
    </div>
  )
}

/** What a player has to open. The hub is where the console came from. */
function playAddress({ mode, addr }: ChannelOutput): string {
  return mode === 'listener' ? addr.replace('srt://:', `srt://${location.hostname}:`) : addr
}

function OutputLine({ channel, output }: { channel: Channel; output: ChannelOutput }) {
  const on = channel.config.enable
  const { tone, text } = legWord(output.state, output['conn-state'])
  const address = playAddress(output)
  const live = on && output['conn-state'] === CONNECTION.connected
  const remove: Action<ChannelOutput> = {
    call: deleteChannelOutputs,
    icon: 'delete',
    one: TEXT.removeOutput,
    many: TEXT.removeOutput,
    kind: 'danger',
    asks: () => live,
    ask: { title: TEXT.removeTitle, text: TEXT.stopText },
    run: () => removeOutput(channel.id, output.id)
  }
  return (
    <li>
      <strong className="cut" data-tip="">
        {output.name}
      </strong>
      <State tone={on ? tone : 'off'} text={on ? text : t(TEXT.stopped)} tip={on ? output.reason : undefined} />
      <span className="address">
        <span className="muted">{PROTOCOL_NAMES[output.protocol]}</span>
        <code className="cut" data-tip="">
          {address}
        </code>
        <CopyButton text={address} />
      </span>
      <span className="num">{live ? bitRate(output.kbps) : ''}</span>
      <span className="num">{live && <Since at={livedSince(output)} />}</span>
      <Actions actions={[remove]} rows={[output]} nameOf={({ name }) => name} />
      {on && output.reason && <small className="fault">{output.reason}</small>}
    </li>
  )
}
