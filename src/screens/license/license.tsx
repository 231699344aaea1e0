// The licence page: the licence with its state, and the limits in force with their usage.
import { hasAnyBit } from '../../../contract/access/permissions.ts'
import type { ResponseOf } from '../../../contract/call.ts'
import { SUCCESS, TIMEOUT } from '../../../contract/codes.ts'
import { activateLicense, deactivateLicense, type getLicense, uploadLicense } from '../../../contract/license/calls.ts'
import {
  LICENSE_PERMISSION,
  LICENSE_STATE,
  type LicenseLimits,
  SERVER_AWAY_DAYS
} from '../../../contract/license/license.ts'
import { licenseSerial } from '../../../contract/rules/account.ts'
import { type RuleSet, required } from '../../../contract/rules/rules.ts'
import { FormDialog } from '../../form/form-dialog.tsx'
import { TextField } from '../../form/text-field.tsx'
import { useForm } from '../../form/use-form.ts'
import { NotSetUp } from '../../parts/access-note.tsx'
import { CallButton, verbText } from '../../parts/actions.tsx'
import { CopyLine } from '../../parts/copy-line.tsx'
import { FileButton } from '../../parts/file-button.tsx'
import { usePlaceholder } from '../../parts/load-state.tsx'
import { dateTime } from '../../text/dates.ts'
import { t } from '../../text/language.ts'
import { LIMIT_NAMES, licenseStateText } from '../../text/license.ts'
import { number } from '../../text/numbers.ts'
import { Card } from '../../ui/card.tsx'
import { hubNow } from '../../ui/clock.ts'
import { DescriptionList } from '../../ui/description-list.tsx'
import { confirm } from '../../ui/dialog/confirm.tsx'
import { openDialog } from '../../ui/dialog/dialog-host.tsx'
import { StatusLabel } from '../../ui/status-label.tsx'
import { useStore } from '../../ui/use-store.ts'
import { $license, activate, deactivate, uploadFile } from './store.ts'
import { AT_LIMIT, PERMISSION_TEXTS, REASON_SENTENCES, TEXT } from './text.ts'

type License = ResponseOf<typeof getLicense>

const DAY = 24 * 60 * 60 * 1000
/** The hub asks the licence server once a day; after two days the page notes that it does not answer. */
const SILENCE_NOTED = 2 * DAY

export function LicenseScreen() {
  const { value } = useStore($license)
  const placeholder = usePlaceholder($license, !value, null)
  if (!value) return <>{placeholder}</>
  return (
    <div className="cards">
      {!value.online && value['license-reg'].status !== LICENSE_STATE.valid && (
        <NotSetUp parts={[[t(TEXT.server), { reason: t(TEXT.noServer) }]]} />
      )}
      <RegistrationCard license={value} />
      <LimitsCard license={value} />
    </div>
  )
}

/** The time of an end; 0 and undefined = never. */
const endText = (end: number | undefined) => (end ? dateTime(end) : t(TEXT.never))

function RegistrationCard({ license }: { license: License }) {
  const { 'license-reg': registration, 'cur-license': current, machine, online } = license
  const { status, reason, sn, 'user-name': title = '', permissions, issued, checked } = registration
  const isAwayFor = checked ? hubNow() - checked : 0
  const isValid = status === LICENSE_STATE.valid
  const tone = isValid ? 'good' : status === LICENSE_STATE.none ? 'off' : 'bad'
  return (
    <Card title={t(TEXT.license)}>
      {reason && <p className="fault">{t(REASON_SENTENCES[reason])}</p>}
      {status !== LICENSE_STATE.none && !isValid && <p>{t(TEXT.continues)}</p>}
      {isValid && isAwayFor > SILENCE_NOTED && (
        <p className="fault">{t(TEXT.serverSilent, dateTime((checked ?? 0) + SERVER_AWAY_DAYS * DAY))}</p>
      )}
      <DescriptionList
        items={[
          [t(TEXT.state), <StatusLabel key="state" tone={tone} text={licenseStateText(status)} />],
          [t(TEXT.title), title],
          [t(TEXT.serial), sn && <code>{sn}</code>],
          [t(TEXT.expires), (sn || current['expired-time']) && endText(current['expired-time'])],
          [t(TEXT.supportEnd), sn && machine && endText(current['support-end'])],
          [t(TEXT.permissions), sn && permissions !== undefined && permissionsText(permissions)],
          [t(TEXT.issued), issued && dateTime(issued)],
          [t(TEXT.checked), checked && dateTime(checked)],
          [t(TEXT.machine), machine && <CopyLine key="machine" text={machine} />],
          [t(TEXT.licensedMachine), reason === 'copied' && <code>{registration.machine}</code>]
        ]}
      />
      <p className="row">
        {online && (
          <CallButton
            call={activateLicense}
            kind="main"
            label={verbText(TEXT.activate)}
            onClick={() => openDialog(ActivateDialog, {})}
          />
        )}
        <FileButton
          call={uploadLicense}
          label={t(TEXT.upload)}
          accept=".json,.license"
          upload={undefined}
          onFile={uploadFile}
          onCancel={() => {}}
        />
        {status !== LICENSE_STATE.none && (
          <CallButton
            call={deactivateLicense}
            kind="danger"
            label={verbText(TEXT.deactivate)}
            onClick={() => confirmDeactivation(title, permissions ?? 0)}
          />
        )}
      </p>
    </Card>
  )
}

/** The permissions of a licence in words, or a dash. */
const permissionsText = (permissions: number) =>
  PERMISSION_TEXTS.filter(([bit]) => hasAnyBit(permissions, bit))
    .map(([, text]) => t(text))
    .join(' · ') || '–'

async function confirmDeactivation(title: string, permissions: number): Promise<void> {
  const verb = verbText(TEXT.deactivate, title)
  const options = {
    text: t(hasAnyBit(permissions, LICENSE_PERMISSION.transfer) ? TEXT.transferNote : TEXT.deactivateNote),
    confirmLabel: verb,
    danger: true
  }
  if (await confirm(options)) await deactivate(title)
}

function LimitsCard({ license: { 'cur-license': current } }: { license: License }) {
  const names = (Object.keys(AT_LIMIT) as (keyof LicenseLimits)[]).filter((name) => current[name] !== undefined)
  if (names.length === 0) return null
  return (
    <Card title={t(TEXT.limits)}>
      <table>
        <thead>
          <tr>
            <th scope="col">{t(TEXT.limit)}</th>
            <th scope="col" className="num">
              {t(TEXT.used)}
            </th>
            <th scope="col" className="num">
              {t(TEXT.allowed)}
            </th>
          </tr>
        </thead>
        <tbody>
          {names.map((name) => {
            const [used = 0, allowed] = [current.used?.[name], current[name]]
            const isAtLimit = allowed > 0 && used >= allowed
            return (
              <tr key={name}>
                <th scope="row">
                  {t(LIMIT_NAMES[name])}
                  {allowed > 0 && <small className="muted">{t(AT_LIMIT[name])}</small>}
                </th>
                <td className="num">{isAtLimit ? <StatusLabel tone="warn" text={number(used)} /> : number(used)}</td>
                <td className="num">{allowed ? number(allowed) : t(TEXT.unlimited)}</td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </Card>
  )
}

const EMPTY_VALUES = { 'user-name': '', sn: '' }
/** A serial number may be typed in lower case, and pasted with spaces around it. */
const normalize = (sn: string) => sn.trim().toUpperCase()

const RULES: RuleSet<typeof EMPTY_VALUES> = { 'user-name': required, sn: (sn) => licenseSerial(normalize(sn)) }

/** Activates a licence at the licence server. */
function ActivateDialog({ onClose }: { onClose: () => void }) {
  const form = useForm(RULES, EMPTY_VALUES, async ({ 'user-name': title, sn }, options) => {
    const response = await activate(title.trim(), normalize(sn), options)
    if (response.result === SUCCESS) onClose()
    return response.result === TIMEOUT ? { ...response, message: t(TEXT.serverAway) } : response
  })
  return (
    <FormDialog form={form} submitLabel={verbText(TEXT.activate)} onClose={onClose}>
      <TextField {...form.field('user-name')} label={t(TEXT.title)} />
      <TextField {...form.field('sn')} label={t(TEXT.serial)} hint={t(TEXT.serialHint)} />
    </FormDialog>
  )
}
