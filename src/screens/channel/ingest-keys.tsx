// Ingest and playback at the hub's shared ports: the channel's keys with their URLs, and the connected clients.
import { type Channel, type ChannelClient, dropChannelClients, setChannel } from '../../../contract/stream/channel.ts'
import { INPUT_PUBLISHER, OUTPUT_PROTOCOL_NAMES } from '../../../contract/stream/protocols.ts'
import { type Action, Actions } from '../../parts/actions.tsx'
import { CopyLine } from '../../parts/copy-line.tsx'
import { upSince } from '../../parts/uptime.ts'
import { sendMutation, succeeded } from '../../state/mutations.ts'
import { $system } from '../../state/system.ts'
import { t } from '../../text/language.ts'
import { bitRate } from '../../text/numbers.ts'
import * as OUTCOME from '../../text/outcomes.ts'
import { Card } from '../../ui/card.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { type DescriptionItem, DescriptionList } from '../../ui/description-list.tsx'
import { ElapsedTime } from '../../ui/elapsed-time.tsx'
import * as UI from '../../ui/text.ts'
import { useStore } from '../../ui/use-store.ts'
import { TEXT } from './dialog-text.ts'
import { channelSuccess } from './store.ts'
import * as CHANNEL_TEXT from './text.ts'

/** The keys by wire name, each with the label of its URLs, its own label, and the start of its SRT stream ID. */
const KEY_KINDS = [
  ['push-key', TEXT.push, TEXT.pushKey, '?streamid=publish.srt'],
  ['play-key', TEXT.play, TEXT.playKey, '?streamid=play.srt']
] as const

type KeyKind = (typeof KEY_KINDS)[number]

/** Shown only with the permission to edit channels: the hub sends the keys to no other user. */
export function IngestKeys({ channel: { id, name, config } }: { channel: Channel }) {
  const ports = useStore($system).value?.status.system.ports
  const renew: Action<KeyKind> = {
    call: setChannel,
    icon: 'retry',
    verb: TEXT.renew,
    kind: 'danger',
    confirmText: () => t(TEXT.renewText),
    // The hub generates a new key if the key is empty.
    run: ([keyKind]) =>
      succeeded(
        sendMutation(
          setChannel,
          { id, name, config: keyKind && { [keyKind[0]]: '' } },
          { success: channelSuccess(OUTCOME.saved, [{ id, name }]) }
        )
      )
  }
  return (
    <Card title={t(TEXT.keysTitle)}>
      <DescriptionList
        items={KEY_KINDS.flatMap((keyKind): DescriptionItem[] => {
          const [wireName, label, keyLabel, srtPath] = keyKind
          const key = config[wireName] ?? ''
          const urlLine = (protocol: 'rtmp' | 'srt', path: string): DescriptionItem => {
            const { port, passphrase, reason } = ports?.[protocol] ?? {}
            const url = `${protocol}://${location.hostname}:${port}${path}/live/`
            return [
              t(CHANNEL_TEXT.of, t(label), protocol.toUpperCase()),
              port ? (
                <CopyLine
                  // In the query of an SRT URL the key is percent-encoded; in an RTMP URL it is not.
                  text={
                    url +
                    (path ? encodeURIComponent(key) : key) +
                    (passphrase ? `&passphrase=${encodeURIComponent(passphrase)}` : '')
                  }
                  displayText={`${url}****`}
                  qrCode
                />
              ) : (
                reason
              )
            ]
          }
          return [
            urlLine('rtmp', ''),
            urlLine('srt', srtPath),
            [
              t(keyLabel),
              <span className="row">
                <code>****</code>
                <CopyButton text={key} label={`${t(UI.copy)}: ${t(keyLabel)}`} />
                <Actions actions={[renew]} rows={[keyKind]} nameOf={() => t(keyLabel)} />
              </span>
            ]
          ]
        })}
      />
    </Card>
  )
}

const addressOf = ({ addr }: ChannelClient) => addr

export function ClientsCard({ channel: { id, clients } }: { channel: Channel }) {
  const drop: Action<ChannelClient> = {
    call: dropChannelClients,
    icon: 'close',
    verb: TEXT.drop,
    run: (clientsToDrop) =>
      succeeded(
        sendMutation(
          dropChannelClients,
          { id, clients: clientsToDrop.map((client) => client.id) },
          { success: { text: OUTCOME.disconnected, names: clientsToDrop.map(addressOf) } }
        )
      )
  }
  return (
    <Card title={t(TEXT.clients)} note={String(clients.total)} fullWidth>
      <ul className="lines">
        {clients.list.map((client) => (
          <li key={client.id}>
            <strong>{addressOf(client)}</strong>
            <span>{t(client.type === INPUT_PUBLISHER ? TEXT.push : TEXT.play)}</span>
            <span className="muted">{OUTPUT_PROTOCOL_NAMES[client.protocol]}</span>
            <span className="num">{bitRate(client.kbps)}</span>
            <ElapsedTime since={upSince(client)} />
            <Actions actions={[drop]} rows={[client]} nameOf={addressOf} />
          </li>
        ))}
      </ul>
    </Card>
  )
}
