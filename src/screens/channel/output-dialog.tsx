import { useEffect } from 'react'
import type { Channel } from '../../../contract/channel.ts'
import { NAME_EXISTS, PORT_OCCUPIED, SUCCESS } from '../../../contract/codes.ts'
import { LATENCY_DEFAULT } from '../../../contract/limits.ts'
import { RTMP, SRT } from '../../../contract/protocols.ts'
import {
  type Fault,
  host,
  latency,
  passphrase,
  port,
  type Rule,
  type RuleSet,
  streamId,
  streamKey,
  streamName
} from '../../../contract/rules.ts'
import type { AddOutputRequest } from '../../../contract/source.ts'
import { sourceUrl } from '../../../contract/source-url.ts'
import { ChoiceField } from '../../form/choice-field.tsx'
import { NumberField } from '../../form/number-field.tsx'
import { PasswordField } from '../../form/password-field.tsx'
import { SelectField } from '../../form/select-field.tsx'
import { TextField } from '../../form/text-field.tsx'
import { useForm } from '../../form/use-form.ts'
import { t } from '../../text/language.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { freePort, giveOutput } from './store.ts'
import { TEXT } from './text.ts'

type Encryption = 'disable' | 'aes-128' | 'aes-192' | 'aes-256'

interface Values {
  kind: 'listener' | 'caller' | 'rtmp'
  name: string
  bindPort: string
  host: string
  port: string
  streamId: string
  latency: string
  enc: Encryption
  passphrase: string
  url: string
  key: string
}

/** A rule for fields of some kinds of output only. */
function of(kinds: readonly Values['kind'][], rule: (value: string) => Fault | undefined): Rule<string, Values> {
  return (value, all) => (kinds.includes(all.kind) ? rule(value) : undefined)
}

const RTMP_URL = (value: string): Fault | undefined =>
  sourceUrl(value) ?? (/^rtmps?:/i.test(value) ? undefined : { name: 'scheme' })

const RULES: RuleSet<Values> = {
  name: streamName,
  bindPort: of(['listener'], port),
  host: of(['caller'], host),
  port: of(['caller'], port),
  streamId: of(['caller', 'listener'], streamId),
  latency: of(['caller', 'listener'], latency),
  passphrase: (value, { kind, enc }) => (kind !== 'rtmp' && enc !== 'disable' ? passphrase(value) : undefined),
  url: of(['rtmp'], RTMP_URL),
  key: of(['rtmp'], streamKey)
}

const OPTIONS = {
  fields: {
    'config.bind-port': 'bindPort',
    'config.dst-ip': 'host',
    'config.dst-port': 'port',
    'config.stream-id': 'streamId',
    'config.latency': 'latency',
    'config.passphrase': 'passphrase',
    'config.url': 'url',
    'config.key': 'key'
  },
  codes: { [NAME_EXISTS]: 'name', [PORT_OCCUPIED]: 'bindPort' }
} as const

/** The wire form of the values. */
function outputOf(values: Values): AddOutputRequest {
  const { name, kind } = values
  if (kind === 'rtmp') return { name, protocol: RTMP, config: { url: values.url, key: values.key } }
  const enc = { enc: values.enc, ...(values.enc !== 'disable' && { passphrase: values.passphrase }) }
  const common = { latency: Number(values.latency), ...enc, ...(values.streamId && { 'stream-id': values.streamId }) }
  return kind === 'listener'
    ? { name, protocol: SRT, config: { mode: kind, 'bind-port': Number(values.bindPort), ...common } }
    : { name, protocol: SRT, config: { mode: kind, 'dst-ip': values.host, 'dst-port': Number(values.port), ...common } }
}

export function OutputDialog({ channel, onClose }: { channel: Channel; onClose: () => void }) {
  const send = async (values: Values) => {
    const reply = await giveOutput(channel.id, outputOf(values))
    if (reply.result === SUCCESS) onClose()
    return reply
  }
  const form = useForm<Values>(
    RULES,
    {
      kind: 'listener',
      name: `${channel.name} ${channel.outputs.total + 1}`,
      bindPort: '',
      host: '',
      port: '',
      streamId: '',
      latency: String(LATENCY_DEFAULT),
      enc: 'disable',
      passphrase: '',
      url: '',
      key: ''
    },
    send,
    OPTIONS
  )
  useEffect(() => {
    void freePort().then((free) => form.set({ bindPort: String(free) }))
  }, [])
  const { kind, enc } = form.values
  const kinds = [
    { value: 'listener' as const, label: t(TEXT.srtListener) },
    { value: 'caller' as const, label: t(TEXT.srtCaller) },
    { value: 'rtmp' as const, label: t(TEXT.rtmpPush) }
  ]
  const encryptions = [
    { value: 'disable' as const, label: t(TEXT.off) },
    { value: 'aes-128' as const, label: 'AES-128' },
    { value: 'aes-192' as const, label: 'AES-192' },
    { value: 'aes-256' as const, label: 'AES-256' }
  ]
  return (
    <Dialog
      title={t(TEXT.addOutputOf, channel.name)}
      onClose={onClose}
      onSubmit={form.submit}
      footer={<Button submit kind="main" label={t(TEXT.addOutput)} busy={form.busy} />}
    >
      <ChoiceField {...form.field('kind')} label={t(TEXT.kind)} options={kinds} />
      <TextField {...form.field('name')} label={t(TEXT.outputName)} />
      {kind === 'listener' && <NumberField {...form.field('bindPort')} label={t(TEXT.port)} hint={t(TEXT.portHint)} />}
      {kind === 'caller' && (
        <>
          <TextField {...form.field('host')} label={t(TEXT.address)} placeholder="192.0.2.30" />
          <NumberField {...form.field('port')} label={t(TEXT.port)} />
        </>
      )}
      {kind === 'rtmp' ? (
        <>
          <TextField {...form.field('url')} label={t(TEXT.rtmpUrl)} hint={t(TEXT.rtmpHint)} />
          <PasswordField {...form.field('key')} label={t(TEXT.key)} />
        </>
      ) : (
        <>
          <TextField {...form.field('streamId')} label={t(TEXT.streamId)} />
          <NumberField {...form.field('latency')} label={t(TEXT.latency)} />
          <SelectField {...form.field('enc')} label={t(TEXT.encryption)} options={encryptions} />
          {enc !== 'disable' && (
            <PasswordField {...form.field('passphrase')} label={t(TEXT.passphrase)} hint={t(TEXT.passphraseHint)} />
          )}
        </>
      )}
    </Dialog>
  )
}
