import { BACKUPS_KEEP_MAX, type BackupList, type BackupTarget, setBackups } from '../../../contract/backup/backup.ts'
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
import { DescriptionList } from '../../ui/description-list.tsx'
import { useStore } from '../../ui/use-store.ts'
import { $backups, saveBackups } from './store.ts'
import { TEXT } from './text.ts'

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
  forgetsHostKey: boolean
}

const TARGETS = ['folder', 'sftp', 's3'] as const
const WIRE_FIELDS = ['kind', 'host', 'user', 'path', 'endpoint', 'region', 'bucket', 'access-key'] as const

const FIELD_OF_WIRE_NAME = Object.fromEntries(WIRE_FIELDS.map((field) => [`target.${field}`, field]))

function targetOf(values: Values): BackupTarget {
  const { kind, host, port, user, path, endpoint, region, bucket } = values
  const folder = path && { path }
  if (kind === 'sftp') return { kind, host, port: Number(port), user, ...folder }
  if (kind === 's3')
    return { kind, endpoint, bucket, 'access-key': values['access-key'], ...(region && { region }), ...folder }
  return { kind }
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
    forgetsHostKey: false
  }
}

/** Edits time and target of the backups. */
export function ScheduleCard() {
  const { value } = useStore($backups)
  return value?.settings ? <ScheduleForm list={value} key={JSON.stringify(value.settings)} /> : null
}

function ScheduleForm({ list }: { list: BackupList }) {
  const form: Form<Values> = useForm<Values>(
    { time: scheduleTime, keep: numberRange(1, BACKUPS_KEEP_MAX), passphrase: optional(exportPassphrase) },
    initialValues(list.settings),
    (values) => {
      const { enable, time, keep, password, passphrase, forgetsHostKey } = values
      return saveBackups(
        {
          enable,
          time,
          keep: Number(keep),
          target: targetOf(values),
          ...(password && { password }),
          ...(passphrase && { passphrase }),
          ...(forgetsHostKey && { 'forget-host-key': true })
        },
        { isShownElsewhere: form.showsError }
      )
    },
    { fieldOfWireName: FIELD_OF_WIRE_NAME }
  )
  const { kind } = form.values
  return (
    <SettingsForm title={t(TEXT.schedule)} form={form} access={setBackups.access}>
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
        options={TARGETS.map((value) => ({ value, label: t(TEXT[value]) }))}
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
      {isSftp && hostKey && (
        <>
          <DescriptionList items={[[t(TEXT.hostKey), <code key="key">{hostKey}</code>]]} />
          <SwitchField {...form.field('forgetsHostKey')} label={t(TEXT.forgetHostKey)} />
        </>
      )}
    </>
  )
}
