import { useState } from 'react'
import { BACKUPS_KEEP_MAX, type BackupList, type BackupTarget, setBackups } from '../../../contract/backup/backup.ts'
import { SUCCESS } from '../../../contract/codes.ts'
import { numberRange } from '../../../contract/rules/number.ts'
import { exportPassphrase } from '../../../contract/rules/passphrase.ts'
import { optional } from '../../../contract/rules/rules.ts'
import { scheduleTime } from '../../../contract/rules/schedule.ts'
import { SelectField } from '../../form/select-field.tsx'
import { SwitchField } from '../../form/switch-field.tsx'
import { NumberField, PasswordField, TextField } from '../../form/text-field.tsx'
import { type Form, useForm } from '../../form/use-form.ts'
import { SettingsForm } from '../../parts/settings/settings-form.tsx'
import { t } from '../../text/language.ts'
import { Button } from '../../ui/button.tsx'
import { DescriptionList } from '../../ui/description-list.tsx'
import { StatusLabel } from '../../ui/status-label.tsx'
import { useStore } from '../../ui/use-store.ts'
import { $backups, saveBackups, tryServer } from './store.ts'
import { TARGETS, TEXT } from './text.ts'

interface Values {
  enable: boolean
  time: string
  keep: string
  kind: BackupTarget['kind']
  host: string
  port: string
  user: string
  path: string
  endpoint: string
  region: string
  bucket: string
  'access-key': string
  password: string
  passphrase: string
  /** The host key that a server has shown in a test, and whether the user trusts it. */
  shownHostKey: { server: string; key: string }
  trustsHostKey: boolean
}

const KINDS = Object.keys(TARGETS) as BackupTarget['kind'][]
const WIRE_FIELDS = ['kind', 'host', 'user', 'path', 'endpoint', 'region', 'bucket', 'access-key'] as const

function targetOf(values: Values): BackupTarget {
  const { kind, host, port, user, path, endpoint, region, bucket } = values
  const folder = path && { path }
  if (kind === 'sftp') return { kind, host, port: Number(port), user, ...folder }
  if (kind === 's3')
    return { kind, endpoint, bucket, 'access-key': values['access-key'], ...(region && { region }), ...folder }
  return { kind }
}

/** What the host key of an SFTP server is for. */
const nameOf = ({ kind, host, port }: Values): string => (kind === 'sftp' ? `${host}:${port}` : '')

/** The server in the form, with what is needed to sign in there. */
function serverOf(values: Values): { target: BackupTarget; password?: string; 'host-key'?: string } {
  const { password, shownHostKey, trustsHostKey } = values
  return {
    target: targetOf(values),
    ...(password && { password }),
    ...(trustsHostKey && shownHostKey.server === nameOf(values) && { 'host-key': shownHostKey.key })
  }
}

function initialValues({ enable, time, keep, target }: BackupList['settings']): Values {
  const { kind, port = 22 } = target
  const text = Object.fromEntries(WIRE_FIELDS.map((field) => [field, target[field] ?? ''])) as Record<
    (typeof WIRE_FIELDS)[number],
    string
  >
  return {
    ...text,
    kind,
    enable,
    time,
    keep: String(keep),
    port: String(port),
    password: '',
    passphrase: '',
    shownHostKey: { server: '', key: '' },
    trustsHostKey: false
  }
}

/** Edits time and target of the backups. */
export function ScheduleCard() {
  const { value } = useStore($backups)
  return value?.settings ? <ScheduleForm list={value} key={JSON.stringify(value.settings)} /> : null
}

function ScheduleForm({ list }: { list: BackupList }) {
  const initial = initialValues(list.settings)
  // Values that the form learns from a server, and no setting.
  const { shownHostKey: _, ...saved } = initial
  const form = useForm<Values>(
    { time: scheduleTime, keep: numberRange(1, BACKUPS_KEEP_MAX), passphrase: optional(exportPassphrase) },
    initial,
    (values, options) => {
      const { enable, time, keep, passphrase } = values
      return saveBackups(
        {
          enable,
          time,
          keep: Number(keep),
          ...serverOf(values),
          ...(passphrase && { passphrase })
        },
        options
      )
    }
  )
  const { kind } = form.values
  return (
    <SettingsForm title={t(TEXT.schedule)} form={form} saved={saved} access={setBackups.access}>
      <SwitchField {...form.field('enable')} label={t(TEXT.enable)} />
      <TextField {...form.field('time')} label={t(TEXT.time)} hint={t(TEXT.timeHint)} />
      <NumberField {...form.field('keep')} label={t(TEXT.keep)} />
      <PasswordField
        {...form.field('passphrase')}
        label={t(TEXT.sealBackups)}
        hint={t(list['has-passphrase'] ? TEXT.stays : TEXT.sealHint)}
      />
      <SelectField
        {...form.field('kind')}
        label={t(TEXT.target)}
        options={KINDS.map((value) => ({ value, label: t(TARGETS[value]) }))}
      />
      {kind !== 'folder' && <TargetFields form={form} list={list} />}
    </SettingsForm>
  )
}

function TargetFields({ form, list }: { form: Form<Values>; list: BackupList }) {
  const isSftp = form.values.kind === 'sftp'
  const hostKey = list['host-key']
  return (
    <>
      {isSftp ? (
        <>
          <TextField {...form.field('host')} label={t(TEXT.host)} />
          <NumberField {...form.field('port')} label={t(TEXT.port)} />
          <TextField {...form.field('user')} label={t(TEXT.user)} />
        </>
      ) : (
        <>
          <TextField {...form.field('endpoint')} label={t(TEXT.endpoint)} hint={t(TEXT.endpointHint)} />
          <TextField {...form.field('region')} label={t(TEXT.region)} />
          <TextField {...form.field('bucket')} label={t(TEXT.bucket)} />
          <TextField {...form.field('access-key')} label={t(TEXT.accessKey)} />
        </>
      )}
      <PasswordField
        {...form.field('password')}
        label={t(isSftp ? TEXT.password : TEXT.secretKey)}
        hint={list['has-password'] ? t(TEXT.stays) : undefined}
      />
      <TextField {...form.field('path')} label={t(TEXT.path)} />
      {isSftp && hostKey && <HostKey value={hostKey} />}
      <ServerTest form={form} />
    </>
  )
}

const HostKey = ({ value }: { value: string }) => (
  <DescriptionList items={[[t(TEXT.hostKey), <code key="key">{value}</code>]]} />
)

/** Tries whether backups can be stored on the server, and shows a host key that is not trusted yet. */
function ServerTest({ form }: { form: Form<Values> }) {
  const [outcome, setOutcome] = useState<{ of: string; text: string; tone: 'good' | 'bad' | 'warn' }>()
  const [isBusy, setBusy] = useState(false)
  const server = JSON.stringify(targetOf(form.values))
  const { shownHostKey } = form.values
  const isShown = outcome?.of === server

  async function run(): Promise<void> {
    setBusy(true)
    const reply = await tryServer(serverOf(form.values))
    setBusy(false)
    if (reply.result !== SUCCESS) return
    const { reason, fault, 'host-key': key = '', 'is-trusted': isTrusted } = reply.outcome
    const isUnknown = isTrusted === false
    if (isUnknown)
      form.setValues({
        shownHostKey: { server: nameOf(form.values), key },
        trustsHostKey: false
      })
    const text = reason ?? t(isUnknown ? TEXT.newHostKey : TEXT.tested)
    setOutcome({ of: server, text, tone: fault ? 'bad' : isUnknown ? 'warn' : 'good' })
  }

  return (
    <>
      <Button label={t(TEXT.test)} busy={isBusy} onClick={run} />
      <p role="status">{isShown && <StatusLabel tone={outcome.tone} text={outcome.text} />}</p>
      {isShown && shownHostKey.server !== '' && shownHostKey.server === nameOf(form.values) && (
        <>
          <HostKey value={shownHostKey.key} />
          <SwitchField {...form.field('trustsHostKey')} label={t(TEXT.trustHostKey)} />
        </>
      )}
    </>
  )
}
