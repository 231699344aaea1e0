// The licence page: the licence with its state, and the limits in force with their usage.

import type { ResponseOf } from '../../../contract/call.ts'
import { activateLicense, deactivateLicense, type getLicense, uploadLicense } from '../../../contract/license/calls.ts'
import { LICENSE_STATE, type LicenseLimits } from '../../../contract/license/license.ts'
import { CallButton, QUESTION, verbText } from '../../parts/actions.tsx'
import { CopyLine } from '../../parts/copy-line.tsx'
import { FileButton } from '../../parts/file-button.tsx'
import { usePlaceholder } from '../../parts/load-state.tsx'
import { dateTime } from '../../text/dates.ts'
import { t } from '../../text/language.ts'
import { licenseStateText } from '../../text/license.ts'
import { number } from '../../text/numbers.ts'
import { Card } from '../../ui/card.tsx'
import { DescriptionList } from '../../ui/description-list.tsx'
import { confirm } from '../../ui/dialog/confirm.tsx'
import { openDialog } from '../../ui/dialog/dialog-host.tsx'
import { StatusLabel } from '../../ui/status-label.tsx'
import { useStore } from '../../ui/use-store.ts'
import { ActivateDialog } from './activate-dialog.tsx'
import { $license, deactivate, uploadFile } from './store.ts'
import { LIMIT_TEXTS, REASON_SENTENCES, TEXT } from './text.ts'

type License = ResponseOf<typeof getLicense>

export function LicenseScreen() {
  const { value } = useStore($license)
  const placeholder = usePlaceholder($license, !value, null)
  if (!value) return <>{placeholder}</>
  return (
    <div className="cards">
      <RegistrationCard license={value} />
      <LimitsCard license={value} />
    </div>
  )
}

/** The time of an end; 0 and undefined = never. */
const endText = (end: number | undefined) => (end ? dateTime(end) : t(TEXT.never))

function RegistrationCard({ license }: { license: License }) {
  const { 'license-reg': registration, 'cur-license': current, machine, online } = license
  const { status, reason, sn, 'user-name': title = '', issued, checked } = registration
  const isValid = status === LICENSE_STATE.valid
  const tone = isValid ? 'good' : status === LICENSE_STATE.none ? 'off' : 'bad'
  return (
    <Card title={t(TEXT.license)}>
      {reason && <p className="fault">{t(REASON_SENTENCES[reason])}</p>}
      {sn && !isValid && <p>{t(TEXT.continues)}</p>}
      <DescriptionList
        items={[
          [t(TEXT.state), <StatusLabel key="state" tone={tone} text={licenseStateText(status)} />],
          [t(TEXT.title), title],
          [t(TEXT.serial), sn && <code>{sn}</code>],
          [t(TEXT.expires), sn && endText(current['expired-time'])],
          [t(TEXT.supportEnd), sn && endText(current['support-end'])],
          [t(TEXT.issued), issued && dateTime(issued)],
          [t(TEXT.checked), checked && dateTime(checked)],
          [t(TEXT.machine), <CopyLine key="machine" text={machine} />],
          [t(TEXT.licensedMachine), reason === 'copied' && <code>{registration.machine}</code>]
        ]}
      />
      <p className="row">
        <CallButton
          call={activateLicense}
          kind="main"
          label={verbText(TEXT.activate)}
          disabledReason={online ? undefined : t(TEXT.noServer)}
          onClick={() => openDialog(ActivateDialog, {})}
        />
        <FileButton
          call={uploadLicense}
          label={t(TEXT.upload)}
          accept=".json,.license"
          upload={undefined}
          onFile={uploadFile}
          onCancel={() => {}}
        />
        {sn && (
          <CallButton
            call={deactivateLicense}
            kind="danger"
            label={verbText(TEXT.deactivate)}
            onClick={() => confirmDeactivation(title)}
          />
        )}
      </p>
    </Card>
  )
}

async function confirmDeactivation(title: string): Promise<void> {
  const verb = verbText(TEXT.deactivate, title)
  const options = { title: t(QUESTION, verb), text: t(TEXT.deactivateNote), confirmLabel: verb, danger: true }
  if (await confirm(options)) await deactivate(title)
}

function LimitsCard({ license: { 'cur-license': current } }: { license: License }) {
  const names = Object.keys(LIMIT_TEXTS) as (keyof LicenseLimits)[]
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
                  {t(LIMIT_TEXTS[name].name)}
                  {allowed > 0 && <small className="muted">{t(LIMIT_TEXTS[name].atLimit)}</small>}
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
