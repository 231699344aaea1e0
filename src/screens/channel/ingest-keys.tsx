// How one gets into a channel at the hub's shared ports: the keys with their URLs, and who is connected there.
import { type Channel, type ChannelClient, dropChannelClients, setChannel } from '../../../contract/stream/channel.ts'
import { INPUT_PUSHED, OUTPUT_PROTOCOL_NAMES } from '../../../contract/stream/protocols.ts'
import { type Action, Actions } from '../../parts/actions.tsx'
import { Copied } from '../../parts/copy-line.tsx'
import { livedSince } from '../../parts/uptime.ts'
import { $system } from '../../state/system.ts'
import { change, well } from '../../state/toasts.ts'
import { t } from '../../text/language.ts'
import { bitRate } from '../../text/numbers.ts'
import { Card } from '../../ui/card.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { type FactLine, Facts } from '../../ui/facts.tsx'
import { Since } from '../../ui/since.tsx'
import { useStore } from '../../ui/use-store.ts'
import { TEXT } from './text.ts'

/** Keys by their names on the wire: what each is for, and what SRT has before it. */
const WAYS = [
  ['push-key', TEXT.push, '?streamid=publish.srt'],
  ['play-key', TEXT.play, '?streamid=play.srt']
] as const

type Way = (typeof WAYS)[number]

/** For who may know the keys. */
export function Ways({ channel: { id, name, config } }: { channel: Channel }) {
  const ports = useStore($system).value?.status.system.ports
  const renew: Action<Way> = {
    call: setChannel,
    icon: 'retry',
    verb: TEXT.renew,
    kind: 'danger',
    ask: () => t(TEXT.renewText),
    // The hub makes it.
    run: ([way]) => well(change(setChannel, { id, name, config: way && { [way[0]]: '' } }))
  }
  return (
    <Card title={t(TEXT.ways)}>
      <Facts
        lines={WAYS.flatMap((way): FactLine[] => {
          const [wire, pair, before] = way
          const key = config[wire] ?? ''
          const at = (protocol: 'rtmp' | 'srt', path: string): FactLine => {
            const { port, passphrase, reason } = ports?.[protocol] ?? {}
            const url = `${protocol}://${location.hostname}:${port}${path}/live/`
            return [
              t(TEXT.of, t(pair), protocol.toUpperCase()),
              port ? (
                <Copied
                  // SRT has it in an option. RTMP takes it as it is.
                  text={
                    url +
                    (path ? encodeURIComponent(key) : key) +
                    (passphrase ? `&passphrase=${encodeURIComponent(passphrase)}` : '')
                  }
                  shown={`${url}****`}
                  scanned
                />
              ) : (
                reason
              )
            ]
          }
          return [
            at('rtmp', ''),
            at('srt', before),
            [
              t(TEXT.of, t(pair), t(TEXT.key)),
              <span className="row">
                <CopyButton text={key} />
                <Actions actions={[renew]} rows={[way]} nameOf={() => t(pair)} />
              </span>
            ]
          ]
        })}
      />
    </Card>
  )
}

const addressOf = ({ addr }: ChannelClient) => addr

export function Clients({ channel: { id, clients } }: { channel: Channel }) {
  const drop: Action<ChannelClient> = {
    call: dropChannelClients,
    icon: 'close',
    verb: TEXT.drop,
    run: (some) => well(change(dropChannelClients, { id, clients: some.map((client) => client.id) }))
  }
  return (
    <Card title={t(TEXT.clients)} note={String(clients.total)} span>
      <ul className="lines">
        {clients.list.map((client) => (
          <li key={client.id}>
            <strong>{addressOf(client)}</strong>
            <span>{t(client.type === INPUT_PUSHED ? TEXT.push : TEXT.play)}</span>
            <span className="muted">{OUTPUT_PROTOCOL_NAMES[client.protocol]}</span>
            <span className="num">{bitRate(client.kbps)}</span>
            <Since at={livedSince(client)} />
            <Actions actions={[drop]} rows={[client]} nameOf={addressOf} />
          </li>
        ))}
      </ul>
    </Card>
  )
}
